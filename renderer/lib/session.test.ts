// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";

const CONTROL = "a-control-token";
const ACME = "sbw_of-acme";

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

/** Loads the explorer at an address, in this window or in another one. */
const load = async (address: string, { anew = false } = {}) => {
  if (anew) window.sessionStorage.clear();
  window.history.replaceState(null, "", address);
  vi.resetModules();
  const session = await import("./session.ts");
  session.openSession();
  return session;
};
const tokenAt = async (address: string, where = {}) => (await load(address, where)).controlToken();

test("a control token is kept after a world's link is opened in the same window", async () => {
  expect(await tokenAt(`/#token=${CONTROL}`)).toBe(CONTROL);
  expect(await tokenAt(`/install?world=acme#token=${ACME}`)).toBe(ACME);
  expect(await tokenAt("/jobs?world=acme")).toBe(ACME);
  expect(await tokenAt("/jobs")).toBe(CONTROL);
  expect(await tokenAt("/jobs?world=other")).toBe(CONTROL);
  expect(await tokenAt("/jobs?world=acme", { anew: true })).toBe(CONTROL);
  expect(await tokenAt(`/jobs?world=acme#token=${ACME}`)).toBe(ACME);
  expect(await tokenAt(`/jobs?world=acme#token=${CONTROL}`)).toBe(CONTROL);
  expect(await tokenAt("/jobs?world=acme")).toBe(CONTROL);
});

test("with tokens of several worlds each world uses its own, and other addresses the last one", async () => {
  await load(`/install?world=acme#token=${ACME}`);
  const session = await load("/install?world=other#token=sbw_of-other");
  expect(session.listWorldsWithToken().toSorted()).toEqual(["acme", "other"]);
  for (const anew of [false, true]) {
    expect(await tokenAt("/jobs?world=acme", { anew })).toBe(ACME);
    expect(await tokenAt("/jobs?world=other", { anew })).toBe("sbw_of-other");
    expect(await tokenAt("/", { anew })).toBe("sbw_of-other");
  }
});

test("after a sign-in ends, no stored token is used instead", async () => {
  await load(`/install?world=acme#token=${ACME}`);
  const session = await load("/jobs");
  session.detachToken();
  expect(session.controlToken()).toBeNull();
  session.takeToken("sbp_annas");
  session.dropToken("sbp_annas");
  expect(session.controlToken()).toBeNull();
  expect(await tokenAt("/jobs")).toBe(ACME);
});

test("an invalid token is forgotten, also for its world", async () => {
  await load(`/#token=${CONTROL}`);
  (await load(`/jobs?world=acme#token=${ACME}`)).dropToken(ACME);
  expect((await load("/jobs?world=acme")).listWorldsWithToken()).toEqual([]);
  expect(await tokenAt("/jobs?world=acme")).toBe(CONTROL);
});

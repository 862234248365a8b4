import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { AccessScope } from "../contract/access.ts";
import { credentialsList, jobsList } from "../contract/control/operations.ts";
import { listenAnswer } from "../contract/control/receiver-operations.ts";
import {
  type AuditKind,
  auditList,
  serviceErase,
  tokensClaim,
  tokensCreate,
  tokensInvite,
  tokensRevoke,
} from "../contract/control/service-operations.ts";
import { snapshotsImport, snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { clockAdvance, policiesSet, worldsReset } from "../contract/control/world-operations.ts";
import { type Operation, operationPath, type RequestOf } from "../contract/operation.ts";
import { newId } from "../storage/new-id.ts";
import { startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());
beforeEach(() => service.make("acme"));

const entries = async (kind: AuditKind = "change") =>
  (await service.control(auditList, { everywhere: true, kind, limit: 500 })).items.map(({ kind, ...entry }) => entry);
const newest = async () => {
  const { id: _id, at: _at, ...entry } = (await entries())[0] ?? ({} as never);
  return entry;
};
/** Other records of a caller, oldest first. */
const othersBy = async (name: string) =>
  (await entries("other"))
    .filter(({ by }) => by === name)
    .map(({ operation, world, detail, outcome }) => [operation, world, detail, outcome])
    .toReversed();
/** A token for acme, and its name in the audit log. */
const tokenOf = async (scope: AccessScope) => {
  const { token, id } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope });
  return { token, by: `Acme (${id.slice(-8)})` };
};
const withToken = <O extends Operation>(token: string, operation: O, body: RequestOf<O>) =>
  service.call(operation, body, undefined, { authorization: `Bearer ${token}` });

test("every change is recorded with who, what, in which world and with what outcome", async () => {
  await service.control(clockAdvance, { world: "acme", seconds: 60 });
  expect(await newest()).toEqual({
    ...{ by: "operator", operation: "clock.advance", world: "acme", detail: { seconds: 60 }, outcome: "ok" },
  });
  const { token, id } = await service.control(tokensCreate, { world: "acme", name: "operator", scope: "manage" });
  expect(await newest()).toMatchObject({ world: "acme", detail: { name: "operator", scope: "manage", made: id } });
  await withToken(token, clockAdvance, { world: "acme", seconds: 1 });
  // Token names are free, but the ID is unique.
  expect(await newest()).toMatchObject({ by: `operator (${id.slice(-8)})`, operation: "clock.advance", outcome: "ok" });
  await withToken(token, worldsReset, { world: "other" });
  // Refused changes of a world token are recorded apart, so that they can't push out real changes.
  expect(await newest()).toMatchObject({ operation: "clock.advance" });
  await withToken(service.ready.control_token, snapshotsRestore, { world: "acme", name: "none" });
  expect(await newest()).toMatchObject({
    operation: "snapshots.restore",
    detail: { name: "none" },
    outcome: "not_found",
  });
  await service.control(tokensRevoke, { id });
  expect(await newest()).toMatchObject({ operation: "tokens.revoke", world: "acme", detail: { id } });
});

test("a malformed change is recorded, unless a world token sent it", async () => {
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "manage" });
  const wrong = { world: "acme", seconds: "sixty" } as never;
  await withToken(service.ready.control_token, clockAdvance, wrong);
  const entry = { by: "operator", operation: "clock.advance", world: "acme", detail: { seconds: "sixty" } };
  expect(await newest()).toEqual({ ...entry, outcome: "bad_request" });
  await service.raw("/__sandbox/clock.advance", {
    ...{
      body: "{",
      headers: { authorization: `Bearer ${service.ready.control_token}`, "content-type": "application/json" },
    },
  });
  expect(await newest()).toMatchObject({ operation: "clock.advance", world: null, detail: {}, outcome: "bad_request" });
  const before = (await entries()).length;
  await withToken(token, clockAdvance, wrong);
  expect((await entries()).length).toBe(before);
});

test("a connecting developer machine is recorded, under its own name", async () => {
  const { token, id } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "act" });
  const connection = new AbortController();
  const address = `${service.baseUrl}/__sandbox/listen?world=acme&name=annas-laptop`;
  const stream = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: connection.signal });
  expect(stream.status).toBe(200);
  await vi.waitUntil(async () => (await newest()).operation === "listen", 5_000);
  expect(await newest()).toEqual({
    ...{
      by: `Acme (${id.slice(-8)})`,
      operation: "listen",
      world: "acme",
      detail: { name: "annas-laptop" },
      outcome: "ok",
    },
  });
  connection.abort();
});

test("a change to an unknown world is recorded as refused, not failed", async () => {
  await withToken(service.ready.control_token, tokensCreate, { world: "nowhere", name: "Nobody", scope: "view" });
  expect(await newest()).toMatchObject({ operation: "tokens.create", world: "nowhere", outcome: "no_such_world" });
});

test("a change without a valid token isn't recorded", async () => {
  const all = async () => [...(await entries()), ...(await entries("other"))].map(({ id }) => id);
  await all();
  const before = await all();
  await service.call(policiesSet, { world: "acme", policies: {} });
  await withToken("sbw_unknown", jobsList, { world: "acme" });
  expect(await all()).toEqual(before);
});

test("reads are recorded once an hour, separately if they show secrets", async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  onTestFinished(() => void vi.useRealTimers());
  const { token, by } = await tokenOf("act");
  const reads = async (): Promise<void> => {
    for (const id of [undefined, newId()])
      await withToken(token, jobsList, { world: "acme", ...(id ? { ids: [id] } : {}) });
    await withToken(token, credentialsList, { world: "acme" });
    await withToken(token, credentialsList, { world: "acme", reveal: true });
  };
  const read = [
    ["jobs.list", "acme", {}, "ok"],
    ["credentials.list", "acme", {}, "ok"],
    ["credentials.list", "acme", { reveal: true }, "ok"],
  ];
  await reads();
  await reads();
  expect(await othersBy(by)).toEqual(read);
  vi.setSystemTime(now + 3_600_000);
  await reads();
  await reads();
  expect(await othersBy(by)).toEqual([...read, ...read]);
});

test("a world token's refusals are recorded in its own world, once an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { token, by } = await tokenOf("view");
  const before = (await entries()).length;
  for (const world of ["other", "third", "no name of one?"]) {
    await withToken(token, jobsList, { world });
    await withToken(token, credentialsList, { world: "acme", reveal: true });
    await withToken(token, worldsReset, { world });
    await withToken(token, jobsList, { world: "acme", limit: 0 });
    await service.post(operationPath(snapshotsImport), {}, { authorization: `Bearer ${token}` });
    await service.raw("/__sandbox/openapi.json", { method: "GET", headers: { authorization: `Bearer ${token}` } });
  }
  expect(await othersBy(by)).toEqual([
    ["jobs.list", "acme", { world: "other" }, "forbidden"],
    ["credentials.list", "acme", { reveal: true }, "forbidden"],
    ["worlds.reset", "acme", { world: "other" }, "forbidden"],
    ["jobs.list", "acme", {}, "bad_request"],
    ["snapshots.import", "acme", {}, "forbidden"],
    ["openapi.json", "acme", {}, "forbidden"],
  ]);
  expect((await entries()).length).toBe(before);
});

test("a developer machine's responses are recorded once an hour, as are opened and refused feeds", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { token, by } = await tokenOf("act");
  const answered = { response_status: 200, response_headers: [], response_body_base64: "", error: null };
  for (const id of [newId(), newId()]) await withToken(token, listenAnswer, { world: "acme", id, ...answered });
  const feed = async (of: string, secret = token): Promise<number> => {
    const reader = new AbortController();
    const headers = { authorization: `Bearer ${secret}` };
    const { status } = await fetch(`${service.baseUrl}${of}`, { headers, signal: reader.signal });
    reader.abort();
    return status;
  };
  for (const world of ["acme", "acme", "other", "third"]) await feed(`/__sandbox/live?world=${world}`);
  await feed("/__sandbox/listen?world=other&name=annas-laptop");
  await feed("/__sandbox/listen?world=acme&name=Anna");
  expect(await othersBy(by)).toEqual([
    ["listen.answer", "acme", { id: expect.any(String) }, "ok"],
    ["live", "acme", {}, "ok"],
    ["live", "acme", { world: "other" }, "forbidden"],
    ["listen", "acme", { name: "annas-laptop", world: "other" }, "forbidden"],
    ["listen", "acme", { name: "Anna" }, "bad_request"],
  ]);
  expect(await feed("/__sandbox/live?world=nowhere", service.ready.control_token)).toBe(404);
  expect(await feed("/__sandbox/live?world=n!", service.ready.control_token)).toBe(400);
  const refused = (await othersBy("operator")).filter(([operation]) => operation === "live");
  expect(refused).toEqual([
    ["live", "nowhere", {}, "no_such_world"],
    ["live", null, {}, "bad_request"],
  ]);
});

test("a call with a too large or packed body is recorded", async () => {
  const headers = { authorization: `Bearer ${service.ready.control_token}`, "content-type": "application/json" };
  await service.raw(operationPath(jobsList), { headers, body: " ".repeat(2 * 1024 * 1024) });
  await service.raw(operationPath(jobsList), { headers: { ...headers, "content-encoding": "br" }, body: "{}" });
  const refused = (await othersBy("operator")).filter(([, world]) => world === null);
  expect(refused).toEqual(
    expect.arrayContaining([
      ["jobs.list", null, {}, "payload_too_large"],
      ["jobs.list", null, {}, "unsupported_media_type"],
    ]),
  );
});

test("a failed snapshot import is recorded as failed", async () => {
  const unfinished = path.join(service.folder, "unfinished");
  fs.rmSync(unfinished, { recursive: true, force: true });
  // A file at the folder's path makes the write fail.
  fs.writeFileSync(unfinished, "");
  onTestFinished(() => fs.rmSync(unfinished));
  expect((await withToken(service.ready.control_token, snapshotsImport, {} as never)).status).toBe(503);
  const entry = { by: "operator", operation: "snapshots.import", world: null, detail: {} };
  expect(await newest()).toEqual({ ...entry, outcome: "failed" });
});

test("a claim is recorded under its name, without secrets", async () => {
  const { link, id } = await service.control(tokensInvite, { world: "claimed", name: "Borchert", scope: "act" });
  const secret = new URL(link).hash.replace("#claim=", "");
  const { body } = await service.call(tokensClaim, { claim: secret });
  const claimed = await newest();
  expect(claimed).toEqual({
    ...{ operation: "tokens.claim", world: "claimed", detail: {}, outcome: "ok" },
    // Later records name the holder the same way.
    by: `Borchert (${id.slice(-8)})`,
  });
  await service.control(snapshotsSave, { world: "acme", name: body.token.slice(0, 60) });
  // Attempts with used, expired or unknown links are recorded once an hour in total.
  for (const claim of [secret, "sbc_unknown"])
    expect((await service.call(tokensClaim, { claim, world: "any" } as never)).status).toBe(403);
  expect(await newest()).toMatchObject({ operation: "snapshots.save" });
  expect(await othersBy("anyone")).toEqual([["tokens.claim", null, {}, "forbidden"]]);
  const kept = JSON.stringify([await entries(), await entries("other")]);
  for (const one of [secret, body.token, body.token.slice(0, 60), service.ready.control_token])
    expect(kept).not.toContain(one);
});

test("it is read by page, for one world or all, only by the operator", async () => {
  const kind = "change";
  const world = "paged";
  const { link } = await service.control(tokensInvite, { world, name: "Borchert", scope: "act" });
  await service.call(tokensClaim, { claim: new URL(link).hash.replace("#claim=", "") });
  for (const seconds of [1, 2]) await service.control(clockAdvance, { world: "acme", seconds });
  const all = (await entries()).map((entry) => ({ ...entry, kind }));
  const first = await service.control(auditList, { everywhere: true, kind, limit: 2 });
  const cursor = first.next_cursor ?? "";
  const second = await service.control(auditList, { everywhere: true, kind, limit: 2, cursor });
  expect([...first.items, ...second.items]).toEqual(all.slice(0, 4));
  expect(first.total).toBe(all.length);
  const ofWorld = async (kind?: AuditKind) =>
    (await service.control(auditList, { world, ...(kind ? { kind } : {}) })).items.map(({ operation, kind }) => [
      operation,
      kind,
    ]);
  const changes = [
    ["tokens.claim", "change"],
    ["tokens.invite", "change"],
  ];
  expect(await ofWorld("change")).toEqual(changes);
  expect(await ofWorld()).toEqual([["audit.list", "other"], ...changes]);
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "manage" });
  expect((await withToken(token, auditList, { world: "acme" })).status).toBe(403);
});

test("erasing everything leaves one entry about the erasure", async () => {
  await entries();
  await service.control(serviceErase, { confirm: "erase everything" });
  const { items } = await service.control(auditList, { everywhere: true });
  expect(items.map(({ operation, world }) => [operation, world])).toEqual([["service.erase", null]]);
  // Earlier reads are recorded again.
  expect(await othersBy("operator")).toEqual([["audit.list", "default", { everywhere: true }, "ok"]]);
});

test("a value can't look like another field", async () => {
  const name = "x made=1 scope=manage";
  const { id } = await service.control(tokensCreate, { world: "acme", name, scope: "view" });
  expect(await newest()).toMatchObject({ detail: { name, scope: "view", made: id } });
});

import { expect, test } from "vitest";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import type { ServiceResponse } from "../testing/harness.ts";
import { type CalledService, Ledger, UnknownOutcomeError, ViolatedGuaranteeError } from "./ledger.ts";

const answer = (position: string, body: unknown = {}, status = 200): ServiceResponse => ({
  ...{ status, body, text: JSON.stringify(body) },
  headers: new Headers({ "x-request-id": position, "x-sandbox-position": `${position} node` }),
});

/** Responds with these answers in order; null: no response. */
const answering = (...answers: readonly (ServiceResponse | Promise<ServiceResponse> | null)[]): CalledService => {
  const left = [...answers];
  const call = async (): Promise<ServiceResponse> => {
    const next = await left.shift();
    if (!next) throw new Error("no answer");
    return next;
  };
  return { call: call as CalledService["call"], ready: {} as CalledService["ready"] };
};

const identity = { external: "repair:1" };
const job = { identity, repairer_site_id: "site" };
const kept = (...claims: string[]) => {
  const ledger = new Ledger("w");
  ledger.keep("1", { operation: jobsGet, request: { identity }, fields: { claim_number: claims } });
  return ledger;
};

test("detects a lost write", async () => {
  const found = [answer("1.2", { claim_number: "second" }), answer("1.2", { claim_number: "first" })];
  await kept("second").check(answering(found[0] ?? null), 1);
  await expect(kept("second").check(answering(found[1] ?? null), 1)).rejects.toThrow(
    'in w has claim_number "first", not one of ["second"]',
  );
  await expect(kept("second").check(answering(answer("1.2", {}, 404)), 1)).rejects.toThrow(ViolatedGuaranteeError);
});

test("detects a number acknowledged by two owners", async () => {
  const ledger = new Ledger("w");
  await ledger.ask(answering(answer("1.7")), jobsInsert, job);
  // A change read from another owner is not a change of this ledger.
  await ledger.ask(answering(answer("2.7")), businessesList, {});
  await expect(ledger.ask(answering(answer("2.7")), jobsInsert, job)).rejects.toThrow(
    "w acknowledged change 7 under 1 and under 2",
  );
});

test("detects a read that goes back in number, owner or content", async () => {
  for (const [before, after] of [
    ["3.9", "3.8"],
    ["3.9", "2.9"],
  ] as const) {
    const ledger = new Ledger("w");
    await ledger.ask(answering(answer(before)), businessesList, {});
    await expect(ledger.ask(answering(answer(after)), businessesList, {})).rejects.toThrow(
      `went back from ${before} to ${after}`,
    );
  }
  const ledger = kept("first", "second");
  const [first, second] = [answer("1.1", { claim_number: "first" }), answer("1.1", { claim_number: "second" })];
  await ledger.check(answering(first, second), 1);
  await ledger.check(answering(second), 1);
  await expect(ledger.check(answering(first), 1)).rejects.toThrow('not one of ["second"]');
});

test("a slow response to an earlier call doesn't count as going back", async () => {
  const ledger = new Ledger("w");
  const late = Promise.withResolvers<ServiceResponse>();
  const waiting = ledger.ask(answering(late.promise), businessesList, {});
  await ledger.ask(answering(answer("1.5")), jobsInsert, job);
  late.resolve(answer("1.4"));
  await waiting;
  expect(ledger.position).toMatchObject({ epoch: 1, seq: 5 });
});

test("a missing response is an unknown outcome, and a missing exchange is a fault", async () => {
  const ledger = new Ledger("w");
  await expect(ledger.ask(answering(null), jobsInsert, job)).rejects.toThrow(UnknownOutcomeError);
  await ledger.ask(answering(answer("1.1")), businessesList, {});
  ledger.holdRecords(new Set(["1.1"]));
  expect(() => ledger.holdRecords(new Set())).toThrow("the exchanges of 1 are not on record, for example 1.1");
});

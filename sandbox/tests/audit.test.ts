import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { auditList } from "../contract/control/audit-operations.ts";
import { jobsList } from "../contract/control/operations.ts";
import { serviceErase } from "../contract/control/service-operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import { tokensClaim, tokensCreate, tokensInvite, tokensRevoke } from "../contract/control/token-operations.ts";
import { clockAdvance, policiesSet, worldsReset } from "../contract/control/world-operations.ts";
import type { Operation, RequestOf } from "../contract/operation.ts";
import { startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.make("acme");
});
afterAll(() => service.end());

const entries = async () => (await service.control(auditList, { everywhere: true })).items;
const newest = async () => {
  const { id: _id, at: _at, ...entry } = (await entries())[0] ?? ({} as never);
  return entry;
};
const withToken = <O extends Operation>(token: string, operation: O, body: RequestOf<O>) =>
  service.call(operation, body, undefined, { authorization: `Bearer ${token}` });

test("every change is on record: who, what, in which world, with what outcome", async () => {
  await service.control(clockAdvance, { world: "acme", seconds: 60 });
  expect(await newest()).toEqual({
    ...{ by: "operator", operation: "clock.advance", world: "acme", detail: "seconds=60", outcome: "ok" },
  });
  const { token, id } = await service.control(tokensCreate, { world: "acme", name: "operator", scope: "manage" });
  expect(await newest()).toMatchObject({ world: "acme", detail: `name=operator scope=manage made=${id}` });
  await withToken(token, clockAdvance, { world: "acme", seconds: 1 });
  // Its name is anybody's, its id is not.
  expect(await newest()).toMatchObject({ by: `operator (${id.slice(-8)})`, operation: "clock.advance", outcome: "ok" });
  await withToken(token, worldsReset, { world: "other" });
  // What a world token may not do is not on record: whoever has one could push everything else out.
  expect(await newest()).toMatchObject({ operation: "clock.advance" });
  await withToken(service.ready.control_token, snapshotsRestore, { world: "acme", name: "none" });
  expect(await newest()).toMatchObject({ operation: "snapshots.restore", detail: "name=none", outcome: "not_found" });
  await service.control(tokensRevoke, { id });
  expect(await newest()).toMatchObject({ operation: "tokens.revoke", world: "acme", detail: `id=${id}` });
});

test("what is refused for its body is too, unless a world token sent it", async () => {
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "manage" });
  const wrong = { world: "acme", seconds: "sixty" } as never;
  await withToken(service.ready.control_token, clockAdvance, wrong);
  const entry = { by: "operator", operation: "clock.advance", world: "acme", detail: "seconds=sixty" };
  expect(await newest()).toEqual({ ...entry, outcome: "bad_request" });
  await service.raw("/__sandbox/clock.advance", {
    ...{
      body: "{",
      headers: { authorization: `Bearer ${service.ready.control_token}`, "content-type": "application/json" },
    },
  });
  expect(await newest()).toMatchObject({ operation: "clock.advance", world: null, detail: "", outcome: "bad_request" });
  const before = (await entries()).length;
  await withToken(token, clockAdvance, wrong);
  expect((await entries()).length).toBe(before);
});

test("a laptop that connects is too, under the name it gives itself", async () => {
  const { token, id } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "act" });
  const laptop = new AbortController();
  const address = `${service.baseUrl}/__sandbox/listen?world=acme&name=annas-laptop`;
  const stream = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: laptop.signal });
  expect(stream.status).toBe(200);
  await vi.waitUntil(async () => (await newest()).operation === "listen", 5_000);
  expect(await newest()).toEqual({
    ...{ by: `Acme (${id.slice(-8)})`, operation: "listen", world: "acme", detail: "name=annas-laptop", outcome: "ok" },
  });
  laptop.abort();
});

test("what names a world that does not exist was refused, and did not fail", async () => {
  await withToken(service.ready.control_token, tokensCreate, { world: "nowhere", name: "Nobody", scope: "view" });
  expect(await newest()).toMatchObject({ operation: "tokens.create", world: "nowhere", outcome: "no_such_world" });
});

test("reading is not, nor is what nobody with a token did", async () => {
  const before = (await entries()).length;
  await service.control(jobsList, { world: "acme" });
  await service.call(policiesSet, { world: "acme", policies: {} });
  await service.call(tokensClaim, { claim: "sbc_unknown" });
  expect((await entries()).length).toBe(before);
});

test("a claim is on record under the name it was made for, and no secret is", async () => {
  const { link, id } = await service.control(tokensInvite, { world: "claimed", name: "Borchert", scope: "act" });
  const secret = new URL(link).hash.replace("#claim=", "");
  const { body } = await service.call(tokensClaim, { claim: secret });
  expect(await newest()).toEqual({
    ...{ operation: "tokens.claim", world: "claimed", detail: "", outcome: "ok" },
    // As later entries name who has it.
    by: `Borchert (${id.slice(-8)})`,
  });
  await service.control(snapshotsSave, { world: "acme", name: body.token.slice(0, 60) });
  const kept = JSON.stringify(await entries());
  for (const one of [secret, body.token, body.token.slice(0, 60), service.ready.control_token])
    expect(kept).not.toContain(one);
});

test("it is read page by page, of one world or of all, and by the operator alone", async () => {
  const all = await entries();
  const first = await service.control(auditList, { everywhere: true, limit: 2 });
  const cursor = first.next_cursor ?? "";
  const second = await service.control(auditList, { everywhere: true, limit: 2, cursor });
  expect([...first.items, ...second.items]).toEqual(all.slice(0, 4));
  expect(first.total).toBe(all.length);
  const ofWorld = await service.control(auditList, { world: "claimed" });
  expect(ofWorld.items.map(({ operation }) => operation)).toEqual(["tokens.claim", "tokens.invite"]);
  const { token } = await service.control(tokensCreate, { world: "acme", name: "Acme", scope: "manage" });
  expect((await withToken(token, auditList, { world: "acme" })).status).toBe(403);
});

test("erasing everything leaves one entry: that it was done", async () => {
  await service.control(serviceErase, { confirm: "erase everything" });
  expect((await entries()).map(({ operation, world }) => [operation, world])).toEqual([["service.erase", null]]);
});

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccessScope } from "../contract/access.ts";
import { accessCodesIssue, credentialsList, jobsList, organizationsList } from "../contract/control/operations.ts";
import {
  tokensClaim,
  tokensCreate,
  tokensCurrent,
  tokensInvite,
  tokensList,
  tokensRevoke,
} from "../contract/control/service-operations.ts";
import {
  snapshotsExport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  policiesSet,
  serviceInfo,
  worldsCopy,
  worldsDelete,
  worldsList,
  worldsReset,
} from "../contract/control/world-operations.ts";
import type { Operation, RequestOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

/** Long enough for a request before the expiry on a busy machine. */
const LIFETIME_MS = 2_000;
const patient = { timeout: 15_000 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const world of ["acme", "other"]) await service.make(world);
});
afterAll(() => service.end());

const tokenFor = async (world: string, scope: AccessScope, expires_at: string | null = null) =>
  service.control(tokensCreate, { world, name: `${world} ${scope}`, scope, expires_at });
const withToken = <O extends Operation>(token: string, operation: O, body: RequestOf<O>) =>
  service.call(operation, body, undefined, { authorization: `Bearer ${token}` });
const keysIn = async (world: string, side = "repairer") => {
  const { items } = await service.control(credentialsList, { world, reveal: true });
  const found = items.find((one) => one.scope === side && one.preloaded);
  return { api_key: found?.api_key ?? "", integration_id: found?.integration_id ?? "" };
};
const tenant = (world: string) => ({ "x-sandbox-tenant": world });

describe("a world token", () => {
  test("opens its world according to its scope, and names the missing scope", async () => {
    const { token: view } = await tokenFor("acme", "view");
    const { token: act } = await tokenFor("acme", "act");
    const { token: manage } = await tokenFor("acme", "manage");
    const status = async <O extends Operation>(token: string, operation: O, body: RequestOf<O>) =>
      (await withToken(token, operation, body)).status;
    expect(await status(view, jobsList, { world: "acme" })).toBe(200);
    expect(await status(view, credentialsList, { world: "acme", reveal: true })).toBe(403);
    expect(await status(act, credentialsList, { world: "acme", reveal: true })).toBe(200);
    const refused = await withToken(view, clockAdvance, { world: "acme", seconds: 60 });
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        type: "forbidden",
        message: "This needs a token with the scope manage; this one has view. Ask the operator for another.",
      },
    ]);
    expect(await status(act, policiesSet, { world: "acme", policies: {} })).toBe(403);
    expect(await status(manage, policiesSet, { world: "acme", policies: {} })).toBe(200);
    expect(await status(manage, snapshotsSave, { world: "acme" })).toBe(200);
    expect(await status(manage, snapshotsExport, { world: "acme", reveal: true })).toBe(403);
    for (const [operation, body] of [
      [worldsDelete, { world: "acme" }],
      [worldsCopy, { world: "acme", to: "mine" }],
      [tokensCreate, { world: "acme", name: "a friend", scope: "view" }],
      [tokensList, { world: "acme" }],
      [snapshotsList, { world: "acme", everywhere: true }],
    ] as const)
      expect(await status(manage, operation, body as never), operation.id).toBe(403);
  });

  test("doesn't reveal if other worlds exist", async () => {
    const { token } = await tokenFor("acme", "manage");
    const asked = async (world: string | undefined) => {
      const { status, text } = await withToken(token, jobsList, world === undefined ? {} : { world });
      return [status, text];
    };
    const foreign = await asked("other");
    expect(foreign).toEqual([
      403,
      '{"type":"forbidden","message":"This token only opens the world acme. Name that world."}',
    ]);
    for (const world of ["never-made", "default", "not a name", undefined]) expect(await asked(world)).toEqual(foreign);
    expect((await withToken(token, worldsReset, { world: "other" })).status).toBe(403);
    const { body } = await withToken(token, worldsList, { world: "acme" });
    expect(body.items.map(({ name }) => name)).toEqual(["acme"]);
    expect((await withToken(token, serviceInfo, { world: "acme" })).body.data_folder).toBeNull();
  });

  test("opens only its world's feed, which ends with the token", async () => {
    const { token, id } = await tokenFor("acme", "view");
    const feed = (world: string) =>
      fetch(`${service.baseUrl}/__sandbox/live?world=${world}`, { headers: { authorization: `Bearer ${token}` } });
    const [other, none] = [await feed("other"), await feed("never-made")];
    expect([other.status, none.status]).toEqual([403, 403]);
    expect(await other.text()).toBe(await none.text());
    const own = await feed("acme");
    expect(own.status).toBe(200);
    await service.control(tokensRevoke, { id });
    expect(await own.text()).toContain("event: ready");
    expect((await feed("acme")).status).toBe(401);
  });

  test("is refused elsewhere on the control plane", async () => {
    const { token } = await tokenFor("acme", "manage");
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.raw("/__sandbox/openapi.json", { method: "GET", headers })).status).toBe(403);
    expect((await service.post("/__sandbox/snapshots.import", {}, headers)).status).toBe(403);
  });

  test("is invalid after it expired, was revoked, or its world was deleted", async () => {
    const { token, id } = await tokenFor("acme", "view");
    const soon = await tokenFor("acme", "view", new Date(Date.now() + LIFETIME_MS).toISOString());
    await expect.poll(async () => (await withToken(soon.token, jobsList, { world: "acme" })).status, patient).toBe(401);
    await service.control(tokensRevoke, { id });
    const { status, text } = await withToken(token, jobsList, { world: "acme" });
    const unknown = await withToken(`sbw_${"a".repeat(43)}`, jobsList, { world: "acme" });
    expect([status, text]).toEqual([unknown.status, unknown.text]);
    expect(status).toBe(401);
    expect(text).toContain("This access has ended. Ask whoever invited you for a new link.");
    expect((await service.call(jobsList, { world: "acme" })).text).toContain(
      "The control plane needs the control token",
    );

    await service.make("passing");
    const passing = await tokenFor("passing", "act");
    await service.control(worldsDelete, { world: "passing" });
    await service.make("passing");
    expect((await withToken(passing.token, jobsList, { world: "passing" })).status).toBe(401);
    await expect(tokenFor("acme", "view", new Date(0).toISOString())).rejects.toThrow("must be in the future");
    const nowhere = { world: "never-made", name: "nobody", scope: "view" } as const;
    expect((await withToken(service.ready.control_token, tokensCreate, nowhere)).status).toBe(404);
  });

  test("is stored only as a hash, and names itself", async () => {
    const { token, id, name } = await tokenFor("acme", "act");
    expect((await withToken(token, tokensCurrent, {})).body).toEqual({
      ...{ name, world: "acme", scope: "act", expires_at: null },
    });
    expect((await service.control(tokensCurrent, {})).scope).toBe("operator");
    expect((await service.control(tokensList, { world: "acme" })).items.map((one) => one.id)).toContain(id);
    const files = ["service.sqlite", "service.sqlite-wal"].map((file) =>
      fs.readFileSync(path.join(service.folder, file)),
    );
    const kept = Buffer.concat(files);
    expect(kept.includes(token)).toBe(false);
    expect(kept.includes(createHash("sha256").update(token).digest())).toBe(true);
  });
});

describe("a world with an act or manage token", () => {
  test("has its own keys, which open no other world, even after a reset", async () => {
    await service.make("partner");
    await service.make("neighbour");
    const before = await keysIn("partner");
    expect(before.api_key).toBe(repairer.api_key);
    const { token } = await tokenFor("partner", "manage");
    const own = await keysIn("partner");
    expect(own.api_key).not.toBe(before.api_key);
    const call = async (credential: typeof own, world: string) =>
      (await service.call(businessesList, {}, credential, tenant(world))).status;
    expect(await call(own, "partner")).toBe(200);
    for (const world of ["neighbour", "default", "never-made"]) expect(await call(own, world)).toBe(401);
    expect(await call(before, "partner")).toBe(401);
    await withToken(token, worldsReset, { world: "partner" });
    expect([await keysIn("partner"), await call(before, "partner")]).toEqual([own, 401]);

    const pinned = (await service.control(worldsList, {})).items.find(({ name }) => name === "partner")?.pinned;
    expect(pinned).toBe(true);

    await service.control(snapshotsSave, { world: "partner", name: "theirs" });
    await service.control(worldsDelete, { world: "partner" });
    await service.control(snapshotsRestore, { world: "partner", name: "theirs" });
    expect(await call(own, "partner")).toBe(401);
    expect(await call(before, "partner")).toBe(200);
    expect((await withToken(token, jobsList, { world: "partner" })).status).toBe(401);
    await tokenFor("partner", "manage");
    await service.control(worldsCopy, { world: "partner", to: "copied" });
    expect(await call(own, "copied")).toBe(401);
    expect(await call(before, "copied")).toBe(200);
  });

  test("can't be the default", async () => {
    await expect(tokenFor("default", "act")).rejects.toThrow("/scope must be view for the world default");
    expect((await tokenFor("default", "view")).world).toBe("default");
  });
});

test("a view token reads as an integration without its key, only in its world, and can't write", async () => {
  const { token } = await tokenFor("other", "view");
  const { integration_id, api_key } = await keysIn("other");
  const { items } = await service.control(jobsList, { world: "other", limit: 1 });
  const read = (world: string, operation: Operation, body: object) =>
    service.post(`/api/2026-01/${operation.id}`, body, {
      ...{ "service-integration-id": integration_id, "x-sandbox-observer": token },
      ...tenant(world),
    });
  const own = await read("other", jobsGet, { identity: { id: items[0]?.id } });
  const direct = await service.call(
    jobsGet,
    { identity: { id: items[0]?.id ?? "" } },
    { api_key, integration_id },
    tenant("other"),
  );
  expect([own.status, own.text]).toEqual([200, direct.text]);
  expect((await read("default", jobsGet, { identity: { id: items[0]?.id } })).status).toBe(401);
  expect((await read("other", jobsInsert, { parts: [] })).status).toBe(401);
});

test("an act token issues access codes of its world, like the install page", async () => {
  const { token } = await tokenFor("acme", "act");
  const { body } = await withToken(token, organizationsList, { world: "acme" });
  const buyer = body.items.find(({ scope }) => scope === "repairer");
  const asked = { client_id: "demo-client", organization_id: buyer?.id ?? "", scope: "repairer" } as const;
  const { items } = (
    await service.post("/__sandbox/clients.list", { world: "acme" }, { authorization: `Bearer ${token}` })
  ).body as { items: { client_id: string }[] };
  const issued = { ...asked, client_id: items[0]?.client_id ?? "" };
  expect((await withToken(token, accessCodesIssue, { world: "acme", ...issued })).status).toBe(200);
  expect((await withToken(token, accessCodesIssue, { world: "other", ...issued })).status).toBe(403);
});

test("the command creates, lists and revokes tokens of a running service", async () => {
  // Another name of the same service; issued links have the public address.
  const url = service.baseUrl.replace("127.0.0.1", "localhost");
  const run = async (...args: string[]) => {
    const which = ["--url", url, "--token", service.ready.control_token];
    const { status: code, stdout: out, stderr: error } = await new CommandProcess(["token", ...args, ...which]).ended;
    return { code, out, error };
  };
  const created = await run("create", "--world", "acme", "--name", "Acme GmbH", "--scope", "act", "--days", "90");
  expect([created.code, created.error]).toEqual([0, ""]);
  const made = JSON.parse(created.out) as { id: string; token: string; explorer_url: string; expires_at: string };
  expect(made.explorer_url).toBe(`${service.baseUrl}/?world=acme#token=${made.token}`);
  expect((await withToken(made.token, jobsList, { world: "acme" })).status).toBe(200);
  expect((await run("list")).out).toContain(made.id);
  expect((await run("revoke", made.id)).code).toBe(0);
  expect((await withToken(made.token, jobsList, { world: "acme" })).status).toBe(401);
  const again = await run("revoke", made.id);
  expect([again.code, again.error]).toEqual([2, `error: ${made.id} isn’t a token’s ID.\n`]);
  expect((await run("revoke", "abc")).code).toBe(2);
}, 60_000);

describe("a claim link", () => {
  const invite = (world: string, more: Partial<RequestOf<typeof tokensInvite>> = {}) =>
    service.control(tokensInvite, { world, name: "Acme GmbH", scope: "manage", ...more });
  const claimOf = ({ link }: { readonly link: string }) => new URL(link).hash.replace("#claim=", "");
  const claim = (secret: string) => service.call(tokensClaim, { claim: secret });
  const refusal = "This link was used, has expired or is unknown. Ask whoever invited you for a new link.";

  test("is exchanged once for a token of a world with its own keys, without idle resets", async () => {
    const made = await invite("claimed");
    expect(made.link).toMatch(new RegExp(`^${service.baseUrl}/claim#claim=sbc_[\\w-]{43}$`));
    expect((await withToken(claimOf(made), jobsList, { world: "claimed" })).status).toBe(401);
    const first = await claim(claimOf(made));
    expect([first.status, first.body.world]).toEqual([200, "claimed"]);
    expect((await withToken(first.body.token, jobsList, { world: "claimed" })).status).toBe(200);
    const { items } = (await withToken(first.body.token, worldsList, { world: "claimed" })).body;
    expect([items[0]?.pinned, items[0]?.resets_at]).toEqual([true, null]);
    expect((await keysIn("claimed")).api_key).not.toBe(repairer.api_key);

    const again = await claim(claimOf(made));
    expect([again.status, again.body]).toEqual([403, { type: "forbidden", message: refusal }]);
    const unknown = await claim(`sbc_${"a".repeat(43)}`);
    expect([unknown.status, unknown.text]).toEqual([again.status, again.text]);
    const token = await claim(first.body.token);
    expect([token.status, token.text]).toEqual([again.status, again.text]);
    expect((await service.control(tokensList, { world: "claimed" })).items).toMatchObject([{ link_until: null }]);
  });

  test("is refused if expired or revoked", async () => {
    const late = await invite("late", { link_until: new Date(Date.now() + LIFETIME_MS).toISOString() });
    const other = await invite("withdrawn");
    await service.control(tokensRevoke, { id: other.id });
    expect((await claim(claimOf(other))).status).toBe(403);
    await expect.poll(() => Date.now() > Date.parse(late.link_until ?? ""), patient).toBe(true);
    expect((await claim(claimOf(late))).text).toContain(refusal);
  });

  test("opened concurrently succeeds once", async () => {
    const secret = claimOf(await invite("raced"));
    const answers = await Promise.all(Array.from({ length: 8 }, () => claim(secret)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 403)]);
  });

  test("copies another world or a snapshot, without its keys", async () => {
    await service.make("template");
    const { name: snapshot } = await service.control(snapshotsSave, { world: "template" });
    const template = await keysIn("template");
    const { items } = await service.ok(businessesList, {}, template, tenant("template"));
    const repairer_site_id = items.find(({ type }) => type === "repairer_site")?.id ?? "";
    const job = { identity: { external: "only:now" }, repairer_site_id };
    await service.ok(jobsInsert, job, template, tenant("template"));
    await invite("from-now", { from: { world: "template" } });
    await invite("from-then", { from: { world: "template", snapshot } });
    const total = async (world: string) => (await service.control(jobsList, { world })).total;
    expect((await total("from-now")) - (await total("from-then"))).toBe(1);
    for (const world of ["from-now", "from-then"])
      expect((await service.call(businessesList, {}, template, tenant(world))).status).toBe(401);
    await expect(invite("from-now", { from: { world: "template" } })).rejects.toThrow("/world from-now already exists");
    // A person whose link was lost or has expired gets a new one to the same world.
    expect((await invite("from-now")).link).toContain("/claim#claim=");
    expect((await total("from-now")) - (await total("from-then"))).toBe(1);
    await expect(invite("nothing", { from: { world: "never-made" } })).rejects.toThrow("/from/world never-made");
    await expect(invite("nothing", { from: { world: "template", snapshot: "none" } })).rejects.toThrow(
      "/name none: world ",
    );
    expect((await service.control(worldsList, {})).items.map((one) => one.name)).not.toContain("nothing");
  });
});

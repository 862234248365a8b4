import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { faultsClear, faultsSet } from "../contract/control/fault-operations.ts";
import {
  accessCodesIssue,
  deliveriesList,
  deliveriesRedeliver,
  jobsList,
  organizationsList,
  subscriptionsList,
} from "../contract/control/operations.ts";
import {
  deliveriesSendDrill,
  subscriptionsPause,
  subscriptionsResume,
} from "../contract/control/receiver-operations.ts";
import { scenariosRecord } from "../contract/control/scenario-operations.ts";
import { snapshotsRestore, snapshotsSave } from "../contract/control/snapshot-operations.ts";
import {
  clockAdvance,
  clockReset,
  policiesSet,
  workList,
  worldsDelete,
  worldsReset,
} from "../contract/control/world-operations.ts";
import { fixedClients } from "../contract/demo-values.ts";
import { operationPath, type RequestOf } from "../contract/operation.ts";
import {
  basketsLatestGet,
  businessesList,
  integrationsInsert,
  jobsDelete,
  jobsGet,
  jobsInsert,
  partsInsert,
  procurementsCancel,
  procurementsPlace,
  supplierProcurementsConfirm,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import type { Scenario } from "../contract/scenario.ts";
import { repairer, startTestService, supplier, type TestService } from "../testing/harness.ts";
import { ownSite, placeOrder } from "../testing/order.ts";
import { runRecording } from "../testing/run-recorded.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

const POLLING = { timeout: 20_000 };
vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
let other: TestService;
beforeAll(async () => {
  [service, other] = await Promise.all([startTestService(), startTestService()]);
});
afterAll(() => Promise.all([service.end(), other.end()]));

let worlds = 0;
/** A new world for a test. */
const newWorld = () => {
  worlds += 1;
  const world = `recorded-${worlds}`;
  const as = { "x-sandbox-tenant": world };
  return { world, as };
};

const recorded = async (asked: RequestOf<typeof scenariosRecord>): Promise<Scenario> =>
  (await service.control(scenariosRecord, asked)).scenario as Scenario;

const refusedRecording = async (asked: RequestOf<typeof scenariosRecord>) => {
  const { status, text } = await service.call(scenariosRecord, asked, undefined, {
    authorization: `Bearer ${service.ready.control_token}`,
  });
  return { status, text };
};

const differences = (scenario: Scenario): Promise<string[]> => runRecording(other, scenario);

const operationsOf = ({ steps }: Scenario): (string | undefined)[] =>
  steps.flatMap(({ control, receiver, call }) => control?.operation ?? call?.operation ?? (receiver ? "receiver" : []));

const codeOf = async (world: string) => {
  const { items } = await service.control(organizationsList, { world });
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const asked = { world, client_id, organization_id, scope: "repairer" } as const;
  const { access_code } = await service.control(accessCodesIssue, asked);
  return { client_id, client_secret, access_code };
};

const install = async (world: string, as: Record<string, string>) =>
  service.ok(integrationsInsert, await codeOf(world), undefined, as);

const upload = async (as: Record<string, string>): Promise<void> => {
  const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const { upload_url } = await service.ok(uploadsPrepare, asked, repairer, as);
  const url = new URL(upload_url);
  const put = await service.raw(url.pathname + url.search, { method: "PUT", body: new Uint8Array(PNG) });
  expect(put.status).toBe(200);
};

const listening = async (handle: http.RequestListener): Promise<string> => {
  const server = http.createServer(handle);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
};

describe("a recording since the reset", () => {
  test("replays in a fresh world: an install, a job, a basket, an upload and an order", async () => {
    const { world, as } = newWorld();
    const installed = await install(world, as);
    await service.ok(businessesList, {}, installed, as);
    const site = await ownSite(service, as);
    await service.ok(jobsInsert, { identity: { external: "own" }, repairer_site_id: site }, installed, as);
    await upload(as);
    const { id } = await placeOrder(service, "in-a-draft", as);
    await upload(as);
    await service.ok(supplierProcurementsConfirm, { identity: { id } }, supplier, as);
    await service.call(supplierProcurementsConfirm, { identity: { id: "none" } }, supplier, as);

    const draft = await recorded({ world, since: "reset" });
    expect(draft.start).toBeUndefined();
    expect(operationsOf(draft)).toEqual(expect.arrayContaining(["access-codes.issue", basketsLatestGet.id]));
    expect(draft.recorded?.notes).toEqual(["Uploaded pictures aren’t recorded."]);
    expect(await differences(draft)).toEqual([]);
    const whole = await recorded({ world, since: "reset", start: true });
    expect(whole.start?.redacted).toBe(true);
    expect(await differences(whole)).toEqual([]);
  });

  test("starts at the last reset, and is refused without calls", async () => {
    const { world, as } = newWorld();
    await placeOrder(service, "before", as);
    await service.control(worldsReset, { world });
    expect(await refusedRecording({ world, since: "reset" })).toEqual({
      status: 422,
      text: expect.stringContaining("There are no calls to record"),
    });
    await service.call(jobsGet, { identity: { external: "before" } }, repairer, as);
    const draft = await recorded({ world, since: "reset" });
    expect(draft.steps).toHaveLength(1);
    expect(await differences(draft)).toEqual([]);
  });

  test("includes a restored world and later calls", async () => {
    const { world, as } = newWorld();
    await placeOrder(service, "before", as);
    const { checkpoint } = await service.control(worldsDelete, { world });
    await service.control(snapshotsRestore, { world, name: checkpoint ?? "" });
    await service.ok(jobsGet, { identity: { external: "before" } }, repairer, as);
    const draft = await recorded({ world, since: "reset" });
    expect(operationsOf(draft).at(-1)).toBe(jobsGet.id);
    expect(operationsOf(draft)).toContain(jobsInsert.id);
    expect(await differences(draft)).toEqual([]);
  });
});

describe("a recording of one call", () => {
  const idOf = (answer: { readonly headers: Headers }): string => answer.headers.get("x-request-id") ?? "";
  const insert = async (external: string, as: Record<string, string>, job_number: string | null = null) =>
    service.call(
      jobsInsert,
      { identity: { external }, repairer_site_id: await ownSite(service, as), job_number },
      repairer,
      as,
    );
  const recordedOf = async (world: string, answer: { readonly headers: Headers }) => {
    const made = await recorded({ world, trace_ids: [idOf(answer)], start: true });
    expect(await differences(made)).toEqual([]);
    return operationsOf(made);
  };

  test("includes calls about its job only, and no receiver without a delivery", async () => {
    const { world, as } = newWorld();
    const url = await listening((_, response) => response.end());
    await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url }, as);
    for (let number = 0; number < 12; number += 1) await insert(`other-${number}`, as);
    await placeOrder(service, "another", as);
    await insert("mine", as);
    await insert("later", as);
    const answer = await service.call(jobsGet, { identity: { external: "mine" } }, repairer, as);
    expect(await recordedOf(world, answer)).toEqual([jobsInsert.id, jobsGet.id]);
    const refused = await service.call(
      jobsInsert,
      { identity: { external: "none" }, repairer_site_id: "x" },
      repairer,
      as,
    );
    expect(await recordedOf(world, refused)).toEqual([jobsInsert.id]);
  });

  test("includes its deliveries and its order", async () => {
    const { world, as } = newWorld();
    const url = await listening((_, response) => response.end());
    await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url }, as);
    await insert("unrelated", as);
    const { id } = await placeOrder(service, "ordered", as);
    const answer = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, as);
    await vi.waitFor(async () => {
      const { items } = await service.control(deliveriesList, { world, limit: 500 });
      expect(items.every(({ status }) => status === "delivered")).toBe(true);
    }, POLLING);
    const made = await recorded({ world, trace_ids: [idOf(answer)], start: true });
    expect(operationsOf(made)).toEqual([
      ...["receiver", jobsInsert.id, partsInsert.id],
      ...[procurementsPlace.id, supplierProcurementsConfirm.id],
    ]);
    expect(made.steps.filter(({ deliveries }) => deliveries)).toHaveLength(1);
    expect(made.steps.at(-1)?.deliveries?.expect.length).toBeGreaterThan(0);
    expect(await differences(made)).toEqual([]);
  });

  test("includes the install of its key, its pictures, and the job that took its number", async () => {
    const { world, as } = newWorld();
    await install(world, as);
    const installed = await install(world, as);
    const keyed = await service.call(businessesList, {}, installed, as);
    expect(await recordedOf(world, keyed)).toEqual(["access-codes.issue", integrationsInsert.id, businessesList.id]);

    const asked = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
    const [, upload] = [
      await service.ok(uploadsPrepare, asked, repairer, as),
      await service.ok(uploadsPrepare, asked, repairer, as),
    ];
    const pictured = await service.call(
      jobsInsert,
      { identity: { external: "p" }, repairer_site_id: await ownSite(service, as), images: [upload.public_url ?? ""] },
      repairer,
      as,
    );
    expect(await recordedOf(world, pictured)).toEqual([uploadsPrepare.id, jobsInsert.id]);

    await insert("first", as, "N-1");
    await insert("second", as, "N-2");
    const taken = await insert("third", as, "N-1");
    expect(taken.status).toBe(422);
    expect(await recordedOf(world, taken)).toEqual([jobsInsert.id, jobsInsert.id]);
  });

  test("includes calls that took an external ID or a job number from a seeded job", async () => {
    const { world, as } = newWorld();
    const { items } = await service.control(jobsList, { world, limit: 100 });
    const [deleted, moved] = items.filter(({ external_id, job_number }) => external_id !== null && job_number !== null);
    const external = deleted?.external_id ?? "";
    await service.ok(jobsDelete, { identity: { id: deleted?.id ?? "" } }, repairer, as);
    const missing = await service.call(jobsGet, { identity: { external } }, repairer, as);
    expect([missing.status, await recordedOf(world, missing)]).toEqual([404, [jobsDelete.id, jobsGet.id]]);
    const again = await insert(external, as);
    expect([again.status, await recordedOf(world, again)]).toEqual([200, [jobsDelete.id, jobsInsert.id]]);
    const site = { repairer_site_id: moved?.site.id ?? "" };
    const changed = {
      identity: { id: moved?.id ?? "" },
      ...site,
      job_number: "moved",
      if_: { exists: "update" },
    } as const;
    await service.ok(jobsInsert, changed, repairer, as);
    const job_number = moved?.job_number ?? null;
    const free = await service.call(jobsInsert, { identity: { external: "free" }, ...site, job_number }, repairer, as);
    expect([free.status, await recordedOf(world, free)]).toEqual([200, [jobsInsert.id, jobsInsert.id]]);
  });

  test("includes the call that created a part it names", async () => {
    const { world, as } = newWorld();
    await insert("a", as);
    await insert("b", as);
    const parts = [{ description: "bumper" }];
    const { id } =
      (await service.ok(partsInsert, { job_identity: { external: "a" }, parts }, repairer, as)).items[0] ?? {};
    const other = [{ identity: { id: id ?? "" }, description: "bumper" }];
    const refused = await service.call(partsInsert, { job_identity: { external: "b" }, parts: other }, repairer, as);
    expect(refused.status).toBe(422);
    const ids = [jobsInsert.id, jobsInsert.id, partsInsert.id, partsInsert.id];
    expect(await recordedOf(world, refused)).toEqual(ids);
  });

  test("that subscribes an address has a receiver instead", async () => {
    const { world, as } = newWorld();
    const url = await listening((_, response) => response.end());
    const { integration_id } = repairer;
    const subscribed = await service.post("/__webhooks/subscribe", { integration_id, url }, as);
    expect(await recordedOf(world, subscribed)).toEqual(["receiver"]);
  });
});

describe("an operator's changes in a recording", () => {
  test("include settings, faults and the clock, each in order", async () => {
    const { world, as } = newWorld();
    const url = await listening((_, response) => response.end());
    await service.post("/__webhooks/subscribe", { integration_id: supplier.integration_id, url }, as);
    await service.control(policiesSet, { world, policies: { confirm_when_cancelled: "not_found" } });
    await service.control(faultsSet, {
      world,
      operation: jobsGet.id,
      effect: { error: { code: "internal_error" } },
      calls: { nth: 3 },
    });
    await service.call(jobsGet, { identity: { external: "counted" } }, repairer, as);
    await service.control(snapshotsSave, { world, name: "before" });

    const statuses: number[] = [];
    const get = async () => {
      const { status, headers } = await service.call(jobsGet, { identity: { external: "x" } }, repairer, as);
      statuses.push(status);
      return headers.get("x-request-id") ?? "";
    };
    await get();
    await get();
    const { id } = await placeOrder(service, "paused", as);
    await vi.waitFor(async () => {
      const { items } = await service.control(deliveriesList, { world, limit: 1 });
      expect(items[0]?.status).toBe("delivered");
    }, POLLING);
    const [subscription] = (await service.control(subscriptionsList, { world })).items;
    await service.control(subscriptionsPause, { world, id: subscription?.id ?? "" });
    await service.control(clockAdvance, { world, seconds: 3_600 });
    await service.ok(procurementsCancel, { identity: { id } }, repairer, as);
    await service.control(subscriptionsResume, { world, id: subscription?.id ?? "" });
    await service.control(policiesSet, { world, policies: { confirm_when_cancelled: "reject" } });
    const refused = await service.call(supplierProcurementsConfirm, { identity: { id } }, supplier, as);
    await service.control(faultsSet, {
      world,
      operation: jobsGet.id,
      effect: { error: { code: "internal_error" } },
      uses: 1,
    });
    await get();
    await service.control(faultsClear, { world });
    const last = await get();
    expect([refused.status, ...statuses]).toEqual([422, 404, 500, 500, 404]);

    const made = await recorded({ world, trace_ids: [last], start: true });
    expect(made.recorded).toMatchObject({
      policies: { confirm_when_cancelled: "not_found" },
      faults: [{ operation: jobsGet.id, calls: { nth: 2 } }],
    });
    const acts = operationsOf(made).filter((id) => /^(clock|policies|faults|subscriptions)\./.test(id ?? ""));
    expect(acts).toEqual([...["clock.advance", "policies.set", "faults.clear", "faults.set", "faults.clear"]]);
    expect(made.recorded?.notes).toEqual([]);
    expect(await differences(made)).toEqual([]);
  });

  test("include a clock moved back: an expired code, and one issued later", async () => {
    const { world, as } = newWorld();
    const ranOut = await codeOf(world);
    await service.control(clockAdvance, { world, seconds: 901 });
    const refused = await service.call(integrationsInsert, ranOut, undefined, as);
    await service.control(clockReset, { world });
    const installed = await install(world, as);
    await service.ok(businessesList, {}, installed, as);
    expect(refused.status).toBe(401);
    for (const start of [true, false]) {
      const made = await recorded({ world, since: "reset", start });
      expect(operationsOf(made)).toEqual([
        ...["clock.advance", integrationsInsert.id, "clock.reset"],
        ...["access-codes.issue", integrationsInsert.id, businessesList.id],
      ]);
      expect(made.recorded?.notes).toEqual(["Secrets in calls are sent masked."]);
      expect(await differences(made)).toEqual([]);
    }
  });

  test("have a note if a run can't repeat them", async () => {
    const { world, as } = newWorld();
    const url = await listening((_, response) => void setTimeout(() => response.end(), 20));
    await service.post("/__webhooks/subscribe", { integration_id: supplier.integration_id, url }, as);
    await service.control(clockAdvance, { world, seconds: 60 });
    await placeOrder(service, "noted", as);
    await vi.waitFor(async () => {
      const { items } = await service.control(deliveriesList, { world, limit: 1 });
      expect(items[0]?.status).toBe("delivered");
    }, POLLING);
    const [delivery] = (await service.control(deliveriesList, { world, limit: 1 })).items;
    await service.control(deliveriesRedeliver, { world, id: delivery?.id ?? "" });
    await service.control(deliveriesSendDrill, { world, id: delivery?.id ?? "", drill: "duplicate" });
    const [subscription] = (await service.control(subscriptionsList, { world })).items;
    await service.control(subscriptionsPause, { world, id: subscription?.id ?? "" });
    await service.control(subscriptionsResume, { world, id: subscription?.id ?? "" });
    await service.control(clockReset, { world });
    await service.control(faultsSet, { world, operation: jobsGet.id, effect: { delay: { ms: 300 } }, uses: 1 });
    await Promise.all([1, 2].map(() => service.call(jobsGet, { identity: { external: "noted" } }, repairer, as)));
    const made = await recorded({ world, since: "reset", start: true });
    expect(made.recorded?.notes).toEqual([
      "Drills aren’t recorded.",
      "Pausing, resuming and deleting subscriptions isn’t recorded.",
    ]);
    expect(await differences(made)).toEqual([]);
  });
});

test("a recording of another version notes that this may explain a difference", async () => {
  const { world, as } = newWorld();
  await service.call(jobsGet, { identity: { external: "x" } }, repairer, as);
  const made = await recorded({ world, since: "reset" });
  const [step] = made.steps;
  if (!(step?.came && made.recorded)) throw new Error("nothing was recorded");
  const changed = {
    ...step,
    expect: { status: 403 },
    came: { ...step.came, status: 403 },
  } as Scenario["steps"][number];
  const of = (version: string) => ({ ...made, steps: [changed], recorded: { ...made.recorded, version } }) as Scenario;
  expect((await differences(of("0.0.1"))).join("\n")).toMatch(
    /actual {4}404\n.*recorded {2}403\n.*cause: the version: recorded by Integrations Explorer 0\.0\.1/,
  );
  expect((await differences(of(made.recorded.version))).join("\n")).not.toMatch(/cause:/);
});

test("calls without a known starting world are refused, and so are deleted ones", async () => {
  const { world, as } = newWorld();
  await service.ok(businessesList, {}, repairer, as);
  const id = "01a20897-cc41-45b3-8276-39ba9f56c249";
  expect((await refusedRecording({ world, trace_ids: [id] })).status).toBe(404);
  expect(await refusedRecording({ world })).toMatchObject({ status: 400 });
  expect(await refusedRecording({ world, trace_ids: [id], since: "reset" })).toMatchObject({ status: 400 });
});

test("installs replay exactly, each with its own code, and each call with its own key", async () => {
  const { world, as } = newWorld();
  const installed: Awaited<ReturnType<typeof install>>[] = [];
  for (let count = 0; count < 20; count += 1) installed.push(await install(world, as));
  for (const credential of installed) await service.ok(businessesList, {}, credential, as);
  const made = await recorded({ world, since: "reset" });
  expect(made.steps).toHaveLength(60);
  expect(made.recorded?.notes).toEqual([]);
  expect(await differences(made)).toEqual([]);
});

test("a wrong key of an existing integration and a deeply nested body replay exactly", async () => {
  const { world, as } = newWorld();
  const installed = await install(world, as);
  const wrong = await service.call(businessesList, {}, { ...installed, api_key: `isk_${"0".repeat(32)}` }, as);
  expect(wrong.status).toBe(401);
  const deep = `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`;
  const headers = { ...as, "content-type": "application/json" };
  expect((await service.raw(operationPath(jobsGet), { headers, body: deep })).status).toBeGreaterThanOrEqual(400);
  for (const start of [true, false])
    expect(await differences(await recorded({ world, since: "reset", start }))).toEqual([]);
});

describe("a long recording", () => {
  const parts = Array.from({ length: 60 }, (_, index) => ({ description: `Part ${index}`, note: "x".repeat(150) }));

  test("lets other calls run in between, and leaves nothing when its caller hangs up", async () => {
    const { world, as } = newWorld();
    const site = await ownSite(service, as);
    await service.control(snapshotsSave, { world, name: "before" });
    for (let count = 0; count < 30; count += 1) {
      const identity = { external: `long-${count}` };
      await service.ok(jobsInsert, { identity, repairer_site_id: site }, repairer, as);
      await service.ok(partsInsert, { job_identity: identity, parts }, repairer, as);
    }
    const headers = { authorization: `Bearer ${service.ready.control_token}`, "content-type": "application/json" };
    const record = (signal?: AbortSignal) =>
      service.raw(operationPath(scenariosRecord), {
        headers,
        body: JSON.stringify({ world, since: "reset", start: true }),
        ...(signal ? { signal } : {}),
      });
    let meanwhile = 0;
    let ended = false;
    const recording = record().finally(() => {
      ended = true;
    });
    while (!ended) {
      await service.control(deliveriesList, { limit: 1 });
      if (!ended) meanwhile += 1;
    }
    expect((await recording).status).toBe(200);
    expect(meanwhile).toBeGreaterThan(5);

    const caller = new AbortController();
    const unwanted = expect(record(caller.signal)).rejects.toThrow();
    await service.control(deliveriesList, { limit: 1 });
    caller.abort();
    await unwanted;
    const unfinished = path.join(service.folder, "unfinished");
    await expect.poll(() => (fs.existsSync(unfinished) ? fs.readdirSync(unfinished) : []), POLLING).toEqual([]);
    expect((await service.control(workList, {})).items).toEqual([]);
  });
});

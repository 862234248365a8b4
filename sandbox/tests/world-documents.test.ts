import fs from "node:fs";
import { Readable } from "node:stream";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  accessCodesIssue,
  credentialsList,
  deliveriesGet,
  deliveriesList,
  jobsList,
  organizationsList,
  procurementsList,
  requestsList,
  subscriptionsList,
  uploadsList,
} from "../contract/control/operations.ts";
import type { WorldDocument } from "../contract/control/snapshot-operations.ts";
import {
  snapshotsExport,
  snapshotsImport,
  snapshotsList,
  snapshotsRestore,
  snapshotsSave,
} from "../contract/control/snapshot-operations.ts";
import { fixedClients, fixedCredentials } from "../contract/demo-values.ts";
import { operationPath, type RequestOf } from "../contract/operation.ts";
import {
  businessesList,
  integrationsInsert,
  jobsGet,
  jobsInsert,
  uploadsPrepare,
} from "../contract/operations/partner.ts";
import { worldTables } from "../snapshots/export-document.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/index.ts";
import {
  repairer,
  startTestService,
  type TestCredential,
  type TestService,
  temporaryFolder,
} from "../testing/harness.ts";
import { importRefusal } from "../testing/import-refusal.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const world = "carried";
const as = { "x-sandbox-tenant": world };

let service: TestService;
let receiver: RecordingReceiver;
let installed: TestCredential;
let webhookSecret = "";
let code = "";
let picture = "";
/** The exported world, without secrets. */
let document: WorldDocument;

beforeAll(async () => {
  service = await startTestService();
  receiver = await RecordingReceiver.start();
  const { items } = await service.ok(businessesList, {}, repairer, as);
  const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  const { client_id, client_secret } = fixedClients.demo;
  const buyer = (await service.control(organizationsList, { world })).items.find(({ scope }) => scope === "repairer");
  const issue = async () =>
    (
      await service.control(accessCodesIssue, {
        world,
        client_id,
        organization_id: buyer?.id ?? "",
        scope: "repairer",
      })
    ).access_code;
  const install = { client_id, client_secret, access_code: await issue() };
  installed = await service.ok(integrationsInsert, install, undefined, as);
  code = await issue();
  const credential = (await service.control(credentialsList, { world, reveal: true })).items.find(
    ({ integration_id }) => integration_id === installed.integration_id,
  );
  webhookSecret = credential?.webhook_secret ?? "";
  const subscription = { integration_id: installed.integration_id, url: receiver.url };
  await service.post("/__webhooks/subscribe", subscription, as);
  // A caller may send a secret in any field.
  const note = `key ${installed.api_key}`;
  await service.ok(
    jobsInsert,
    { identity: { external: "carried" }, repairer_site_id: site, claim_number: note },
    installed,
    as,
  );
  await receiver.waitFor(1);
  const upload = { file_name: "a.png", media_type: "image", type: "job_media" } as const;
  const prepared = await service.ok(uploadsPrepare, upload, installed, as);
  const url = new URL(prepared.upload_url);
  await service.raw(url.pathname + url.search, { method: "PUT", body: new Uint8Array(PNG) });
  picture = new URL(prepared.public_url ?? "").pathname;
  await vi.waitFor(async () =>
    expect((await service.control(deliveriesList, { world, status: "delivered" })).total).toBe(1),
  );
  document = (await service.control(snapshotsExport, { world })).document;
});
afterAll(async () => {
  await receiver.stop();
  await service.end();
});

const another = async (...config: Parameters<typeof startTestService>): Promise<TestService> => {
  const other = await startTestService(...config);
  onTestFinished(() => other.end());
  return other;
};
const tokenOf = (of: TestService) => ({ authorization: `Bearer ${of.ready.control_token}` });

describe("an exported world", () => {
  test("contains no secret anywhere, unless requested", async () => {
    const secrets = [
      installed.api_key,
      webhookSecret,
      code,
      ...Object.values(fixedCredentials).flatMap(({ api_key, webhook_secret }) => [api_key, webhook_secret]),
      ...Object.values(fixedClients).map(({ client_secret }) => client_secret),
    ];
    const text = JSON.stringify(document);
    expect(document.redacted).toBe(true);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain(service.ready.control_token);
    const revealed = (await service.control(snapshotsExport, { world, reveal: true })).document;
    expect(revealed.redacted).toBe(false);
    for (const secret of secrets) expect(JSON.stringify(revealed)).toContain(secret);
  });

  test("contains the current world or a snapshot, with a file name", async () => {
    await service.control(snapshotsSave, { world, name: "then" });
    const { file_name, document: of } = await service.control(snapshotsExport, { world, name: "then" });
    expect(file_name).toBe("carried-then.world.json");
    expect(of).toMatchObject({ format: "integrations-explorer-world", format_version: 2, world, redacted: true });
    const jobs = ({ tables }: WorldDocument) => tables.find(({ name }) => name === "jobs");
    expect(jobs(of)).toEqual(jobs(document));
    expect(of.media).toEqual(document.media);
    const missing = { world, name: "never" };
    expect(await service.call(snapshotsExport, missing, undefined, tokenOf(service))).toMatchObject({ status: 404 });
  });

  test("opens on another machine with all its content, and with that service's keys", async () => {
    const other = await another();
    const imported = await other.control(snapshotsImport, { world: "here", document, name: "from-afar" });
    expect(imported).toMatchObject({ name: "from-afar", world: "here", kind: "imported", counts: { credentials: 3 } });
    expect(
      (await other.call(jobsGet, { identity: { external: "carried" } }, repairer, { "x-sandbox-tenant": "here" }))
        .status,
    ).toBe(404);
    await other.control(snapshotsRestore, { world: "here", name: "from-afar" });
    const here = { "x-sandbox-tenant": "here" };
    for (const operation of [jobsList, procurementsList, deliveriesList, requestsList] as const) {
      const [one, same] = [
        await service.control(operation, { world, limit: 5 }),
        await other.control(operation, { world: "here", limit: 5 }),
      ];
      // Excludes calls made after the export.
      if (operation === requestsList) expect(one.items.slice(-same.items.length)).toEqual(same.items);
      else
        expect(same).toEqual(
          JSON.parse(JSON.stringify(one).replaceAll(installed.api_key, `isk_••••••••${installed.api_key.slice(-4)}`)),
        );
    }
    expect((await other.call(businessesList, {}, repairer, here)).status).toBe(200);
    expect((await other.call(businessesList, {}, installed, here)).status).toBe(401);
    const credentials = (await other.control(credentialsList, { world: "here", reveal: true })).items;
    const anew = credentials.find(({ integration_id }) => integration_id === installed.integration_id);
    expect(anew?.api_key).toMatch(/^isk_[0-9a-f]{32}$/);
    expect(anew?.webhook_secret).toMatch(/^pwh_[A-Za-z0-9_-]{43}$/);
    const again = { ...installed, api_key: anew?.api_key ?? "" };
    expect((await other.call(businessesList, {}, again, here)).status).toBe(200);
    expect((await other.raw(picture, { method: "GET" })).status).toBe(200);
    expect((await other.control(uploadsList, { world: "here" })).items[0]?.size).toBe(PNG.length);
  });

  test("notifies no one until its subscriptions are resumed", async () => {
    const other = await another();
    await other.control(snapshotsImport, { document, name: "x" });
    await other.control(snapshotsRestore, { name: "x" });
    const [subscription] = (await other.control(subscriptionsList, {})).items;
    expect(subscription).toMatchObject({ url: receiver.url, paused_by: "import" });
    const sent = receiver.received.length;
    const { items } = await other.ok(businessesList, {}, repairer);
    const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
    await other.ok(jobsInsert, { identity: { external: "quiet" }, repairer_site_id: site }, repairer);
    await expect.poll(async () => (await other.control(deliveriesList, { status: "pending" })).total).toBe(1);
    expect(receiver.received.length).toBe(sent);
  });

  test("gets the pre-loaded credentials of a service with its own", async () => {
    const client = (name: string) => ({ client_id: name, client_secret: `secret of ${name}`, redirect_uris: [] });
    const own = (side: string, id: string) => ({
      api_key: `sbx_own-key-of-the-${side}`,
      integration_id: id,
      webhook_secret: `pwh_own-secret-of-the-${side}`,
    });
    const credentials = {
      credentials: {
        repairer: own("repairer", "11111111-1111-4111-8111-111111111111"),
        supplier: own("supplier", "22222222-2222-4222-8222-222222222222"),
      },
      clients: { demo: client("ours"), no_oauth: client("ours-too") },
    };
    const other = await another(temporaryFolder(), { credentials });
    const { document: revealed } = await service.control(snapshotsExport, { world, reveal: true });
    await other.control(snapshotsImport, { document: revealed, name: "x" });
    await other.control(snapshotsRestore, { name: "x" });
    expect((await other.call(businessesList, {}, credentials.credentials.repairer)).status).toBe(200);
    expect((await other.call(businessesList, {}, repairer)).status).toBe(401);
    const install = { access_code: code, client_id: "ours", client_secret: "secret of ours" };
    expect((await other.call(integrationsInsert, install)).status).toBe(200);
    expect((await other.call(businessesList, {}, installed)).status).toBe(200);
  });
});

test("a document from before faults of attempts imports like a current one", async () => {
  const earlier = 10;
  const handle = new Sqlite(":memory:");
  migrate(handle, migrations.slice(0, earlier));
  const known = new Map(worldTables(handle).map(({ name, columns }) => [name, columns]));
  handle.close();
  const tables = document.tables.flatMap(({ name, columns, rows }) => {
    const kept = columns.flatMap((column, at) => (known.get(name)?.includes(column) ? [at] : []));
    const only = <T>(all: readonly T[]) => all.filter((_, at) => kept.includes(at));
    return known.has(name) ? [{ name, columns: only(columns), rows: rows.map(only) }] : [];
  });
  const columnsOf = (all: WorldDocument["tables"]) => all.find(({ name }) => name === "attempts")?.columns;
  expect([columnsOf(document.tables)?.includes("faults"), columnsOf(tables)?.includes("faults")]).toEqual([
    true,
    false,
  ]);
  const other = await another();
  await other.control(snapshotsImport, { world, document: { ...document, data_version: earlier, tables }, name: "x" });
  await other.control(snapshotsRestore, { world, name: "x" });
  const jobs = async (of: TestService) => (await of.control(jobsList, { world })).items.map(({ id }) => id);
  expect(await jobs(other)).toEqual(await jobs(service));
  const [delivery] = (await other.control(deliveriesList, { world, status: "delivered" })).items;
  const { attempts } = await other.control(deliveriesGet, { world, id: delivery?.id ?? "" });
  expect(attempts).toMatchObject([{ response_status: 200, error: null }]);
  expect(attempts[0]).not.toHaveProperty("faults");
});

describe("a document that can't be imported", () => {
  type Table = WorldDocument["tables"][number];
  const changed = (name: string, change: (table: Table) => Table): WorldDocument => ({
    ...document,
    tables: document.tables.map((table) => (table.name === name ? change(table) : table)),
  });
  const indexOf = (name: string): number => document.tables.findIndex((table) => table.name === name);
  const withCell = (name: string, column: string, cell: unknown): WorldDocument =>
    changed(name, (table) => {
      const at = table.columns.indexOf(column);
      const [first = [], ...rows] = table.rows;
      return { ...table, rows: [first.map((value, index) => (index === at ? cell : value)), ...rows] };
    });

  const withColumn = (name: string, column: string, cell: unknown): WorldDocument =>
    changed(name, (table) => ({
      ...table,
      rows: table.rows.map((row) => row.with(table.columns.indexOf(column), cell)),
    }));

  test("is refused with a sentence that names the path, and nothing is stored", async () => {
    const other = await another();
    const jobs = `/document/tables/${indexOf("jobs")}`;
    const media = [{ id: "../../etc/passwd", base64: PNG.toString("base64") }];
    const deep = JSON.stringify({ what: "clock", before: JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) });
    const procurements = document.tables[indexOf("procurements")];
    const whole = String(procurements?.rows[0]?.[procurements.columns.indexOf("document")]);
    const unoffered = JSON.stringify({ ...JSON.parse(whole), offered_items: {} });
    const script = [{ id: repairer.integration_id, base64: Buffer.from("<script>").toString("base64") }];
    const bad: [sentence: RegExp, document: unknown][] = [
      [/^\/document must be object/, "a file"],
      [/^\/document\/format is required/, {}],
      [/^\/document\/format must be "integrations-explorer-world"/, { ...document, format: "zip" }],
      [/^\/document\/format_version 3 is from a newer version.* update/, { ...document, format_version: 3 }],
      [/^\/document\/format_version 1 is of an earlier build/, { ...document, format_version: 1 }],
      [/^\/document\/data_version 999 is from a newer version.* update/, { ...document, data_version: 999 }],
      [/^\/document\/data_version must be/, { ...document, data_version: 0 }],
      [/^\/document\/tables must be array/, { ...document, tables: {} }],
      [/meta with the world’s epoch/, { ...document, tables: [] }],
      [
        /^\/document\/tables are inconsistent: row \d+ of \w+ names one of organizations that is not there/,
        changed("organizations", (table) => ({ ...table, rows: [] })),
      ],
      [/name sqlite_master isn’t a table/, changed("jobs", (table) => ({ ...table, name: "sqlite_master" }))],
      [
        /name jobs; DROP TABLE jobs isn’t a table/,
        changed("jobs", (table) => ({ ...table, name: "jobs; DROP TABLE jobs" })),
      ],
      [/appears twice/, { ...document, tables: [...document.tables, document.tables[0]] }],
      [/columns\/0 nothing isn’t a column of jobs/, changed("jobs", (table) => ({ ...table, columns: ["nothing"] }))],
      [/rows\/0 must have \d+ cells/, changed("jobs", (table) => ({ ...table, rows: [[1]] }))],
      [new RegExp(`^${jobs}/rows/0/1 must be null, a number`), withCell("jobs", "id", { html: "" })],
      [new RegExp(`^${jobs}/rows/0 cannot be a row of jobs`), withCell("jobs", "id", null)],
      [/cannot be a row of jobs/, withCell("jobs", "created_at", "yesterday")],
      [/are inconsistent/, withCell("procurements", "document", "{")],
      [
        /are inconsistent: row 4000000000000000 of jobs: \/seq must be at most 3000000000000000$/,
        withCell("jobs", "seq", 4_000_000_000_000_000),
      ],
      [/of log: \/seq must be at most/, withCell("log", "seq", "4000000000000000")],
      [/of businesses: \/address must be JSON/, withColumn("businesses", "address", "{")],
      [/of log: \/data is nested more than 64 levels deep/, withCell("log", "data", deep)],
      [/of procurements: \/document\/offered_items must be array/, withCell("procurements", "document", unoffered)],
      [/CHECK constraint failed: scope IN/, withColumn("credentials", "scope", "both")],
      [/^\/document\/media\/0\/id must be a UUID/, { ...document, media }],
      [/^\/document\/media\/0\/base64 must be a PNG/, { ...document, media: script }],
    ];
    for (const [sentence, one] of bad)
      expect(importRefusal({ world: "here", document: one, name: "x" })).toMatch(sentence);
    const [[sentence, one] = []] = bad;
    const body = { world: "here", document: one, name: "x" } as RequestOf<typeof snapshotsImport>;
    const answer = await other.call(snapshotsImport, body, undefined, tokenOf(other));
    expect(answer).toMatchObject({
      status: 400,
      body: { type: "bad_request", message: expect.stringMatching(sentence ?? "") },
    });
    expect((await other.control(snapshotsList, { everywhere: true })).items).toEqual([]);
    expect((await other.control(snapshotsImport, { world: "here", document, name: "x" })).name).toBe("x");
  });

  const filesThere = () =>
    fs
      .readdirSync(service.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`)
      .toSorted();

  test("above 256 MiB is refused during the upload, without leaving a file", async () => {
    // Exports are deleted once read.
    await vi.waitFor(() => expect(filesThere().join()).not.toContain("unfinished"));
    const before = filesThere();
    const piece = Buffer.alloc(1024 * 1024, " ");
    const sent = Readable.from(
      (function* () {
        for (let count = 0; count < 300; count += 1) yield piece;
      })(),
    );
    const answer = await fetch(`${service.ready.base_url}${operationPath(snapshotsImport)}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...tokenOf(service) },
      body: Readable.toWeb(sent) as ReadableStream<Uint8Array>,
      duplex: "half",
    } as RequestInit);
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { type: "payload_too_large", message: "The body is larger than 256 MiB." },
    ]);
    expect(filesThere()).toEqual(before);
  });

  test.each<[what: string, sentence: RegExp, body: () => string]>([
    ["cut off", /^The body is not valid JSON: unexpected end/, () => JSON.stringify({ document }).slice(0, -200)],
    [
      "200,000 deep",
      /^The body is nested more than 64 levels deep\.$/,
      () => `{"document":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    ],
    [
      "a million rows long",
      /rows\/0 must have \d+ cells/,
      () => {
        const rows = Array.from({ length: 1_000_000 }, () => [1]);
        return JSON.stringify({ document: changed("jobs", (table) => ({ ...table, rows })) });
      },
    ],
    ["named like a path", /^\/name must be 1 to 64/, () => JSON.stringify({ document, name: "../../here" })],
    [
      "for a world named like a path",
      /^\/world must be 1 to 64/,
      () => JSON.stringify({ document, world: "../../here" }),
    ],
  ])("that is %s is refused with a sentence, without leaving a file", async (_, sentence, body) => {
    const before = filesThere();
    const answer = await service.raw<{ message: string }>(operationPath(snapshotsImport), {
      headers: { "content-type": "application/json", ...tokenOf(service) },
      body: body(),
    });
    expect([400, 422]).toContain(answer.status);
    expect(answer.body.message).toMatch(sentence);
    expect(filesThere()).toEqual(before);
  });
});

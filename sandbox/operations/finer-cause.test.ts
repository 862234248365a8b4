import { afterAll, expect, it } from "vitest";
import type { Cause } from "../contract/causes.ts";
import { openSeededWorld } from "../testing/seeded-world.ts";
import { findFinerCause } from "./finer-cause.ts";

const world = openSeededWorld();
afterAll(() => world.close());
const { credentials, directory, procurements, jobs } = world.stores;
const [buyer, supplier] = (["repairer", "supplier"] as const).map((scope) => {
  const found = credentials.list().find((one) => one.scope === scope);
  if (!found) throw new Error(`the seed has no ${scope}’s key`);
  return found;
});
const read = (sql: string, ...values: string[]): string =>
  world.db.get<{ readonly value: string }>(sql, ...values)?.value ?? "";
const own = buyer?.organization_id ?? "";
const ORDER = read(
  "SELECT id AS value FROM procurements WHERE buyer_organization_id = ? AND supplier_organization_id = ?",
  ...[own, supplier?.organization_id ?? ""],
);
const order = procurements.get(ORDER);
const [REF, ITEM] = [order?.reference ?? "", order?.source_items[0]?.id ?? ""];
const OF_OTHERS = "WHERE organization_id <> ?";
const [FOREIGN_JOB, FOREIGN_ORDER] = [
  read(`SELECT id AS value FROM jobs ${OF_OTHERS}`, own),
  read("SELECT id AS value FROM procurements WHERE buyer_organization_id <> ?", own),
];
const job = jobs.get(order?.job_id ?? "");
const [JOB, EXT, NUM] = [job?.id ?? "", job?.external_id ?? "", job?.job_number ?? ""];
const PART = read("SELECT id AS value FROM job_parts WHERE job_id = ?", JOB);
const SITE = job?.repairer_site_id ?? "";
const siteName = directory.business(SITE)?.name ?? "";
const insurer = directory.insurers()[0] ?? { id: "", organization_id: "", name: "" };
const [client, otherClient] = credentials.clients().map(({ client_id, client_secret }) => [client_id, client_secret]);
const [CLIENT = "", SECRET = ""] = client ?? [];
const NOTHING = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";

/** Explanation of a refusal of the buyer's call. */
const explain = (cause: string, pointer: string, input: object, operation: string | null = null, key = buyer) => {
  const { integration_id = "", organization_id = "", scope = "repairer" } = key ?? {};
  const why = findFinerCause(
    { why: { cause, pointers: [pointer] } },
    {
      ...{ world, named: "default", input, operation, caller: { integration_id, organization_id, scope } },
      credentials: { authorization: undefined, integrationId: undefined },
    },
  );
  return { fact: why?.fact, remedy: why?.remedy, meant: why?.meant, cause: why?.cause };
};

type Row = [value: unknown, cause: Cause, fact: RegExp | null, meant?: unknown, remedy?: RegExp];
const check = (told: ReturnType<typeof explain>, [, cause, fact, meant, remedy]: Row): void => {
  expect({ cause: told.cause, meant: told.meant }).toEqual({ cause, meant });
  for (const [text, pattern] of [[told.fact, fact], ...(remedy ? [[told.remedy, remedy] as const] : [])] as const)
    if (pattern) expect(text).toMatch(pattern);
    else expect(text).toBeUndefined();
};

const other = "id_of_other_kind";
it.each<Row>([
  [FOREIGN_ORDER, "procurement_of_another", /^The order is between/, undefined, /^This world has no key of/],
  [JOB, other, /^The ID is the ID of a job.* Its order is /, [["/identity/id", ORDER]]],
  [ITEM.toUpperCase(), other, /^The ID is of an item of order/, [["/identity/id", ORDER]]],
  [SITE, other, /^The ID is the ID of the site/, undefined, /`repairer\.procurements\.list` lists/],
  [FOREIGN_JOB, other, /^The ID is the ID of a job, not of an order\.$/],
  ["ac_x", other, /^The ID is an access code/],
  ["isk_x", "procurement_unknown", null],
  [NOTHING, "procurement_unknown", null],
  [5, "procurement_unknown", null],
])("explains the ID %s in place of an order’s", (...row) => {
  check(explain("procurement_unknown", "/identity/id", { identity: { id: row[0] } }), row);
});

it.each<Row>([
  [FOREIGN_ORDER, "procurement_of_another", /\(supplier\); this key is .*, of the other side\.$/],
  [SITE, other, /^The ID is the ID of the site/, undefined, /The `supplier\.procurements` notifications carry it/],
])("explains to a supplier the ID %s in place of an order’s", (...row) => {
  check(explain("procurement_unknown", "/identity/id", { identity: { id: row[0] } }, null, supplier), row);
});

const asExternal = "id_as_external";
const nameExternal = [["/identity/external", EXT]];
it.each<Row>([
  [{ id: FOREIGN_JOB }, "job_of_another", /^The job belongs to .*; this key is /],
  [{ id: ORDER }, other, /the ID of order .*, not of a job\. Its job is/, [["/identity/id", JOB]]],
  [{ id: PART }, other, /^The ID is the ID of a part/, [["/identity/id", JOB]]],
  [{ id: SITE }, other, /^The ID is the ID of the site/, undefined, /^Send the job’s own ID as `\/identity\/id`/],
  [{ id: "isk_x" }, "job_unknown", null],
  [{ external: JOB }, asExternal, /holds the job’s ID/, [["/identity", { id: JOB }]]],
  [{ external: FOREIGN_JOB }, asExternal, /the ID of another organization’s job\.$/],
  [{ external: ORDER }, asExternal, /holds the ID of order/, [["/identity", { id: JOB }]]],
  [{ external: ` ${REF} ` }, asExternal, /holds the reference of an order/, [["/identity", { id: JOB }]]],
  [{ external: PART }, asExternal, /holds the ID of a part/, [["/identity", { id: JOB }]]],
  [{ external: NUM }, asExternal, /holds the job’s number/, [["/identity", { external: EXT }]]],
  [{ external: job?.claim_number }, asExternal, /the job’s claim number/, [["/identity", { external: EXT }]]],
  [{ external: job?.vehicle?.plate_number }, asExternal, /the job’s plate num/, [["/identity", { external: EXT }]]],
  [{ external: `${EXT} ` }, "job_unknown", /right but for a trailing space/, nameExternal],
  [{ external: "" }, "job_unknown", /^`external` is empty\.$/],
  [{ external: "{{x}}" }, "job_unknown", /^`external` holds a placeholder/],
])("explains the identity %j of no job", (...row) => {
  check(explain("job_unknown", "/identity", { identity: row[0] }), row);
});

const of = (name: string, value: unknown) => ({ identity: { external: "x" }, repairer_site_id: SITE, [name]: value });
const plate = (text: string) => ({ chassis_number: null, plate_number: text, plate_state: null });
it.each<[pointer: string, operation: string, ...Row]>([
  ["/identity/id", "repairer.jobs.get", EXT, "shape", /belongs in `external`/, [["/identity", { external: EXT }]]],
  ["/identity/id", "repairer.jobs.get", NUM, "shape", /holds the job’s number/, [["/identity/id", JOB]]],
  ["/identity/id", "repairer.jobs.get", "ac_x", "shape", /^`\/identity\/id` holds an access code\.$/],
  [
    "/identity/id",
    "repairer.jobs.get",
    JOB.slice(0, -1),
    "shape",
    /is one character too short/,
    [["/identity/id", JOB]],
  ],
  ["/identity/id", "repairer.jobs.get", ORDER.slice(0, -1), "shape", null],
  ["/identity/id", "repairer.jobs.get", "short", "shape", null],
  [
    "/identity/id",
    "repairer.procurements.get",
    ` ${REF} `,
    "shape",
    /reference of an order/,
    [["/identity/id", ORDER]],
  ],
  [
    "/identity/id",
    "repairer.procurements.get",
    ORDER.slice(0, -2),
    "shape",
    /^`.*` is 2 char/,
    [["/identity/id", ORDER]],
  ],
  ["/identity/id", "repairer.procurements.get", JOB.slice(0, -1), "shape", null],
  ["/repairer_site_id", "", ` ${siteName.toUpperCase()} `, "shape", /name of a site/, [["/repairer_site_id", SITE]]],
  ["/repairer_site_id", "", "no site", "shape", null],
  ["/vehicle", "", "ABC1234567", "shape", /like its `plate_number`/, [["/vehicle", plate("ABC1234567")]]],
  ["/vehicle", "", "ABC12345678", "shape", null],
  ["/if_", "", null, "shape", null],
  ["/images/0", "", "ac_x", "shape", null],
])("explains at %s of %s the value %j", (pointer, operation, ...row) => {
  const [, name = "", inner] = pointer.split("/");
  const value = inner === "id" ? { id: row[0] } : row[0];
  check(explain("shape", pointer, of(name, value), operation || "repairer.jobs.insert"), row);
});

it("explains an empty choice for a job of the caller’s only", () => {
  const empty = (identity: object) =>
    explain("shape", "/if_", { identity, repairer_site_id: SITE, if_: null }, "repairer.jobs.insert");
  check(empty({ external: EXT }), [null, "shape", /The job exists already/, [["/if_", { exists: "update" }]]]);
  expect(empty({ id: FOREIGN_JOB }).fact).toBeUndefined();
});

const [ID, NAME] = ["/work_provider_id", "/work_provider_contract"];
it.each<[pointer: string, ...Row]>([
  [
    ID,
    insurer.id.toUpperCase(),
    "work_provider_unknown",
    /^The value is the business ID/,
    [[ID, insurer.organization_id]],
  ],
  [NAME, insurer.organization_id, "work_provider_unknown", /the `organization_id` of/, [[NAME, insurer.name]]],
  [ID, ORDER, "work_provider_unknown", /is the ID of an order, not an insurer\.$/],
  [ID, "{{x}}", "work_provider_unknown", /is a placeholder/],
  [ID, "x", "work_provider_unknown", null],
  ["/repairer_site_id", ORDER, "site_unknown", /is the ID of an order, not a site\.$/],
  ["/repairer_site_id", 5, "site_unknown", null],
  ["/job_number", NUM, "job_number_taken", /^Job `.*` \(`external`: `.*`\) of the site has this number\.$/],
  ["/job_number", " ", "job_number_taken", /is an empty text/],
  ["/job_number", "no", "job_number_taken", null],
  ["/job_number", 5, "job_number_taken", null],
])("explains at %s the refused value %j", (pointer, ...row) => {
  check(explain(row[1], pointer, of(pointer.slice(1), row[0])), row);
});

const install = (client_id: unknown, client_secret: unknown, access_code: unknown = "ac_x") => ({
  ...{ client_id, client_secret, access_code },
});
it.each<[refused: Cause, ...Row]>([
  ["client_unknown", install(" ", "x"), "client_id_of_other_kind", /^`client_id` is empty\.$/],
  ["client_unknown", install(SECRET, CLIENT), "client_swapped", null],
  ["client_unknown", install(SECRET, "x"), "client_id_of_other_kind", /holds a client_secret\.$/],
  ["client_unknown", install(SECRET, SECRET), "client_id_of_other_kind", /secret/, undefined, /^Send `client_id` as/],
  ["client_unknown", install("ac_x", CLIENT), "client_id_of_other_kind", /holds an access code\.$/],
  ["client_unknown", install("Demo integration", "x"), "client_id_of_other_kind", /the name of a client/],
  ["client_unknown", install(`${CLIENT}x`, "x"), "client_id_nearly", /^`client_id` is one character too long\.$/],
  ["client_unknown", install("zz", SECRET), "client_unknown", /The secret is that of/],
  ["client_unknown", install("zz", "zz"), "client_unknown", null],
  ["client_secret_wrong", install(CLIENT, ""), "client_secret_of_other_kind", /^`client_secret` is empty/],
  ["client_secret_wrong", install(CLIENT, `${SECRET}x`), "client_secret_nearly", /is one character too long/],
  ["client_secret_wrong", install(CLIENT, otherClient?.[1]), "client_secret_wrong", /is the secret of .*, not of/],
  ["client_secret_wrong", install(CLIENT, "ac_x"), "client_secret_of_other_kind", /holds an access code/],
  ["client_secret_wrong", install(CLIENT, "cs_x"), "client_secret_wrong", null],
  ["access_code_unusable", install(CLIENT, SECRET, ""), "access_code_of_other_kind", /^`access_code` is empty/],
  ["access_code_unusable", install(CLIENT, SECRET, "isk_x"), "access_code_of_other_kind", /holds an API key/],
  ["access_code_unusable", install(CLIENT, SECRET), "access_code_unusable", null],
])("refines %s of an install with %j", (refused, ...row) => {
  check(explain(refused, `/${refused.split("_").slice(0, 2).join("_")}`, row[0] as object), row);
});

const price = (...prices: string[]) => ({
  identity: { id: ORDER },
  lines: prices.map((unit_price) => ({ quantity: 1, unit_price })),
});
const AT = "/lines/0/unit_price";
it.each<Row>([
  [["1,234.50"], "not_an_amount", /a separator of thousands/, [[AT, "1234.50"]]],
  [[""], "not_an_amount", /is an empty text/],
  [["-1.005"], "not_an_amount", /has 3 decimals/],
  [["1,005"], "not_an_amount", /may be of thousands or of decimals/],
  [["-2000000.0"], "not_an_amount", /is more than a million/],
  [["1000000"], "not_an_amount", null],
  [["x"], "not_an_amount", null],
  [["2.50", "x", "y"], "not_an_amount", /^`\/lines\/1\/unit_price` is not an amount\. `\/lines\/2\/unit_price` is not/],
  [Array.from("abcdef"), "not_an_amount", /3\/unit_price` is not an amount\. 2 more prices are wrong\.$/],
])("explains the prices %j", (...row) => {
  check(explain("not_an_amount", AT, price(...(row[0] as string[]))), row);
});

it("names the job of a part, to its own organization only", () => {
  const partOf = (id: string, key = buyer) =>
    explain("part_of_other_job", "/parts/0/identity", { parts: [{ identity: { id } }] }, null, key).fact;
  expect(partOf(PART.toUpperCase())).toBe(`The part belongs to job \`${JOB}\` (\`external\`: \`${EXT}\`).`);
  expect(partOf(PART, supplier)).toBe("The part belongs to a job of Tarn & Rowe Collision.");
  expect(partOf(NOTHING)).toBeUndefined();
});

it("tells of a new job’s ID and of an existing job’s ignored choice", () => {
  const named = (id: string) => explain("job_id_not_assigned", "/identity/id", { identity: { id } }).fact;
  expect([named(ORDER), named(NOTHING)]).toEqual([expect.stringMatching(/^The ID is the ID of order/), undefined]);
  const inserted = (more: object) => explain("job_exists", "/identity", { identity: { external: EXT }, ...more }).fact;
  expect(inserted({ if: 1 })).toBe("The field is called `if_`: `if` was ignored.");
  expect(inserted({ jobNumber: 1 })).toBeUndefined();
});

it("leaves the cause as it is, and logs, if finding a finer one fails", () => {
  const refusal = { why: { cause: "job_unknown", pointers: ["/identity"] } };
  const failure = new Error("another world can’t be read");
  const call = {
    ...{ world, named: "default", caller: { integration_id: "", organization_id: own, scope: "repairer" as const } },
    ...{ operation: "repairer.jobs.get", input: { identity: { id: NOTHING } } },
    credentials: { authorization: undefined, integrationId: undefined },
    findOtherWorld: () => {
      throw failure;
    },
  };
  const errors: unknown[] = [];
  expect(findFinerCause(refusal, { ...call, onError: (error) => errors.push(error) })).toEqual(refusal.why);
  expect(errors).toEqual([failure]);
  expect(() => findFinerCause(refusal, call)).toThrow(failure);
});

it.each(["tier1.prepare", "uploads.prepare"])("reads no identity that %s doesn’t declare", (operation) => {
  for (const name of ["identity", "job_identity"])
    for (const value of [0, null, "", { id: 0 }])
      expect(explain("shape", "/identifiers", { [name]: value }, operation).cause).toBe("shape");
});

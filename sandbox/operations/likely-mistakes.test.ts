import { expect, it, onTestFinished } from "vitest";
import { openSeededWorld } from "../testing/seeded-world.ts";
import {
  describePlaceholderRemedy,
  describeSimilar,
  describeSpelling,
  findKind,
  isPlaceholder,
} from "./likely-mistakes.ts";

const KEY = "isk_0123456789abcdef";

it.each([
  [` ${KEY}`, "a leading space"],
  [`${KEY}\n`, "a trailing space"],
  [` ${KEY} `, "a leading and a trailing space"],
  [`"${KEY}"`, "the quotes around it"],
  [`'“${KEY}”'`, "the quotes around it"],
  ["isk_01234567'89abcdef", null],
  [`<${KEY}>`, "the quotes around it"],
  [` { ${KEY} }`, "the brackets around it"],
  [`[${KEY}`, null],
  [`${KEY})`, null],
  [`[${KEY}x]`, null],
  [` ${KEY.toUpperCase()}`, "upper and lower case and a leading space"],
  [`%20${KEY}`, "percent-encoded"],
  ["isk_01234567 89abcdef", "inside it"],
  [KEY.toUpperCase(), "upper and lower case"],
  [`\u200b${KEY}`, "isn’t shown"],
  ["%69sk_0123456789abcdef", "percent-encoded"],
  ["isk_01234%", null],
  [KEY, null],
  ["isk_fedcba9876543210", null],
])("tells how the spelling %j differs: %s", (given, words) => {
  expect(describeSpelling(given, KEY)).toEqual(words && expect.stringContaining(words));
});

it.each([
  ["0042", "42", "right but for its leading zeros"],
  ["42", "0042", "right but for its leading zeros"],
  ["0043", "42", null],
  ["042a", "42a", null],
  ["a42", "042", null],
  ["a &amp; b", "a & b", "escaped for HTML"],
  ["a &amp; c", "a & b", null],
  ["ab", "a-b", null],
  ["[a)bx", "a)b", null],
  ["xa(b)", "a(b", null],
])("tells how %j differs from %j: %s", (given, known, words) => {
  expect(describeSpelling(given, known)).toBe(words);
});

it.each([
  [KEY.slice(0, -1), "one character too short: its end is missing"],
  [KEY.slice(3), "3 characters too short: its beginning is missing"],
  [`${KEY}ab`, "2 characters too long"],
  [`ab${KEY}`, "2 characters too long"],
  [`key=${KEY}`, "right, but has `key=` before it"],
  [`${KEY}&id=1`, "right, but has `&id=…` after it"],
  [`?key=${KEY}#`, "right, but has `?key=` before it and `#` after it"],
  [`secret/12345${KEY}`, "right, but other text is around it"],
  [`/${KEY}/`, "right, but has `/` before it and `/` after it"],
  ["isk_****************", "masked or shortened: it was copied from where it isn’t shown whole"],
  [Buffer.from(`me:${KEY}`).toString("base64"), "encoded in Base64"],
  [KEY.replace("0123", "9876"), "right but for 4 characters"],
  [KEY.replace("01234", "98765"), null],
  [KEY.slice(0, 7), null],
  [KEY.slice(0, 8), "12 characters too short: its end is missing"],
  [`"${KEY}"`, "right but for the quotes around it"],
  [KEY, null],
])("tells how %j resembles a known value: %s", (given, words) => {
  expect(describeSimilar(given, ["another", KEY])).toBe(words);
});

it.each([
  ["$API_KEY", /^Put the text in double quotes in the shell/],
  [" $api.key ", /^Put the text in double quotes in the shell/],
  ["$(cat key)", /^Put the text in double quotes in the shell/],
  ["%API_KEY%", /^Only cmd\.exe fills in/],
  ["%s", /^Set the variable/],
  ["<%key%", /^Set the variable/],
  ["%key%>", /^Set the variable/],
  ["{{$key}}", /^Set the variable/],
  ["{{%key%}}", /^Set the variable/],
  ["{{api_key}}", /^Set the variable/],
  ["<your-key>", /^Set the variable/],
])("says what would have filled in %s", (value, remedy) => {
  expect(describePlaceholderRemedy(value)).toMatch(remedy);
});

it("tells a UUID without its hyphens from another one", () => {
  const id = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";
  expect(describeSpelling(id.replaceAll("-", "").toUpperCase(), id)).toBe("right but for its hyphens");
  expect(describeSpelling(id.replaceAll("-", "").replace("7", "8"), id)).toBeNull();
});

it("compares nothing that is far longer than any issued value", () => {
  const filled = (length: number) => KEY + "x".repeat(length - KEY.length);
  expect(describeSimilar(filled(500), [KEY])).toBe("480 characters too long");
  expect(describeSimilar(filled(501), [KEY])).toBeNull();
  expect([describeSpelling(KEY.padEnd(500), KEY) === null, describeSpelling(KEY.padEnd(501), KEY)]).toEqual([
    false,
    null,
  ]);
  expect([isPlaceholder(`{{${"x".repeat(496)}}}`), isPlaceholder(`{{${"x".repeat(497)}}}`)]).toEqual([true, false]);
});

it("recognises what was sent in place of another value", () => {
  const world = openSeededWorld();
  onTestFinished(() => world.close());
  const { credentials, directory, jobs } = world.stores;
  const [credential, client] = [credentials.list()[0], credentials.clients()[0]];
  const organization = directory.organizations()[0];
  const job = world.db.get<{ id: string }>("SELECT id FROM jobs")?.id ?? "";
  expect(jobs.get(job)).toBeDefined();
  const kindOf = (value = "") => findKind(world, value)?.words ?? null;
  expect([credential?.integration_id.toUpperCase(), organization?.id, job].map(kindOf)).toEqual([
    ...["an integration ID", `the ID of the organization ${organization?.name}`, "the ID of a job"],
  ]);
  expect(["00000000-0000-0000-0000-000000000000", "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001"].map(kindOf)).toEqual([
    ...["the nil UUID, as in a test event", null],
  ]);
  expect([client?.client_id, client?.client_secret, "cs_x", "pwh_x", "ac_x"].map(kindOf)).toEqual([
    ...["a client_id", "a client_secret", "a client_secret", "a webhook secret", "an access code"],
  ]);
  const business = directory.listBusinesses(organization?.id ?? "")[0];
  const [order, part, webhookSecret] = [
    ...["SELECT id AS value FROM procurements", "SELECT id AS value FROM job_parts"],
    "SELECT webhook_secret AS value FROM credentials",
  ].map((sql) => world.db.get<{ value: string }>(sql)?.value ?? "");
  expect([business?.id, order, part, webhookSecret?.slice("pwh_".length)].map(kindOf)).toEqual([
    ...[`the ID of the repairer ${business?.name}`, "the ID of an order", "the ID of a part"],
    "a webhook secret without `pwh_`",
  ]);
  expect(["eyJh.eyJi.c", "x".repeat(43), "sbw_x"].map(kindOf)).toEqual([
    ...["a JSON Web Token", "a control token", "a world token of the control plane"],
  ]);
  expect([credential?.api_key, "isk_x", "sbx_x", "x_isk_", "x_sbx_", "x".repeat(42)].map(kindOf)).toEqual([
    ...["an API key", "an API key", "an API key", null, null, null],
  ]);
});

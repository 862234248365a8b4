import { afterAll, expect, it } from "vitest";
import { openSeededWorld } from "../testing/seeded-world.ts";
import { findAuthenticationCause } from "./authenticate.ts";
import { refineCredentials } from "./credential-causes.ts";

const world = openSeededWorld();
afterAll(() => world.close());
const [{ api_key: KEY, integration_id: ID } = { api_key: "", integration_id: "" }] = world.stores.credentials.list();
const BARE_ID = ID.replaceAll("-", "");
const OTHER_ID = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";
const inLatin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const explain = (authorization?: string, integrationId?: string) => {
  const credentials = { authorization, integrationId };
  const why = { cause: findAuthenticationCause(credentials), pointers: [] };
  return refineCredentials(why, { world, named: "default", credentials, input: undefined, caller: null });
};

const QUOTED = /^The key is in quotes\.$/;
const BRACKETS = /^The key is in brackets\.$/;
const TWICE = /^`Bearer` is followed by a whole `Authorization` header/;
it.each<[key: string, id: string, cause: string, fact?: RegExp]>([
  ["", ID, "key_missing"],
  ["Bearer", ID, "key_missing"],
  [`Bearer ${KEY}`, ID, "bearer_twice"],
  [`Authorization : Bearer ${KEY}`, ID, "bearer_twice", TWICE],
  [`${KEY}, Bearer ${KEY}`, ID, "bearer_twice", /^The `Authorization` header has two values/],
  ['{"a":1}', ID, "key_of_other_kind", /header holds a JSON object, not an API key\.$/],
  ["$KEY", ID, "key_placeholder", /^The key is the text of a `\$` variable/],
  ["{{key}}", ID, "key_placeholder", /^The key is a placeholder/],
  [KEY, "$ID", "key_placeholder", /^The integration ID is the text of a `\$` variable/],
  [KEY, '{"a":1}', "key_of_other_kind", /header holds a JSON object, not an integration ID\.$/],
  [KEY, "{a", "id_malformed"],
  [`"${KEY}"`, ID, "key_quoted", QUOTED],
  [inLatin1(`“${KEY}”`), ID, "key_quoted", QUOTED],
  [`<${KEY}>`, ID, "key_quoted", BRACKETS],
  [KEY, `[${ID}]`, "key_quoted", /^The integration ID is in brackets\.$/],
  [`"${KEY}`, ID, "key_nearly", /but for the quotes/],
  ['"', ID, "credentials", /, but the key is not its key in this world\.$/],
  [KEY, `${ID},${ID}`, "id_malformed", /was sent twice\.$/],
  [KEY, BARE_ID, "id_malformed", /without its hyphens\.$/],
  [KEY, `${BARE_ID}0`, "id_malformed"],
  [KEY, `urn:uuid:${ID}`, "id_malformed", /begins with `urn:uuid:`\.$/],
  [KEY, ID.slice(0, -1), "id_malformed", /is one character too short/],
  ["isk_no", "nothing", "id_malformed"],
  [ID, KEY, "key_and_id_swapped"],
  [ID, ID, "key_of_other_kind", /`Authorization` header holds an integration ID, not an API key\.$/],
  ["ac_x", ID, "key_of_other_kind", /holds an access code/],
  [KEY, KEY, "key_of_other_kind", /`Service-Integration-ID` header holds an API key, not an integration ID\.$/],
  [KEY, OTHER_ID, "credentials", /, but no integration has this ID in this world\.$/],
])("explains Bearer %s with the ID %s as %s", (key, id, cause, fact) => {
  const why = explain(`Bearer ${key}`, id);
  expect(why.cause).toBe(cause);
  if (fact) expect(why.fact).toMatch(fact);
  else expect(why.fact).toBeUndefined();
});

it.each<[authorization: string, fact?: RegExp]>([
  [`Bearer%20${KEY}`, /is percent-encoded/],
  [`Bearer:${KEY}`, /^`Bearer` is followed by `:`, not by a space\.$/],
  [inLatin1(`Bearer\u00a0${KEY}`), /followed by a character that only looks like a space/],
  [`Bearer${KEY}`, /^No space comes between/],
  [` ${KEY} `, /holds the key without the word/],
  [`"Bearer ${KEY}"`, /header is in quotes\.$/],
  [`x Bearer ${KEY}`, /^Other text comes before/],
  [`x Bearer%20${KEY}`, /^Other text comes before/],
  [`Basic ${KEY}`, /starts with `Basic`, not with `Bearer`\.$/],
  [`Foo ${KEY}`],
  ["xBearer"],
])("explains the header %s", (authorization, fact) => {
  const why = explain(authorization, ID);
  expect(why.cause).toBe("no_bearer");
  if (fact) expect(why.fact).toMatch(fact);
  else expect(why.fact).toBeUndefined();
});

it.each<[authorization: string | undefined, id: string | undefined, fact: string]>([
  [undefined, undefined, "The `Authorization` and the `Service-Integration-ID` headers are missing."],
  [`Bearer ${KEY}`, undefined, "The `Service-Integration-ID` header is missing."],
  [undefined, ID, "The `Authorization` header is missing."],
  [" ", ID, "The `Authorization` header is missing."],
])("names the missing headers of %s and %s", (authorization, id, fact) => {
  expect(explain(authorization, id)).toMatchObject({ cause: "no_credentials", fact });
});

const UNKNOWN = "No integration in this world has this key.";
const SEND_ISSUED = "Also send the `Service-Integration-ID` as it was issued.";
it.each<[authorization: string, id: string | undefined, next: object | undefined]>([
  ["Bearer isk_unknown", undefined, { cause: "credentials", fact: UNKNOWN }],
  [`Bearer ${KEY}`, undefined, undefined],
  ["Bearer {{key}}", undefined, undefined],
  ["Bearer {{key}}", "$ID", { cause: "key_placeholder", fact: expect.stringMatching(/^The integration ID/) }],
  ["Bearer {{key}}", `${ID},`, { cause: "id_malformed", remedy: SEND_ISSUED }],
  ["Bearer {{key}}", ID, undefined],
  [`Bearer Bearer ${KEY}x`, ID, { cause: "key_nearly" }],
  [`Bearer Bearer ${KEY}`, ID, undefined],
  [`Bearer "isk_no"`, ID, { cause: "credentials" }],
  [`Bearer "${KEY}"`, "nothing", { cause: "id_malformed" }],
  ["Basic abc", "", { fact: "The `Service-Integration-ID` header is missing.", remedy: SEND_ISSUED }],
  ["Basic a b", ID, undefined],
  [`Bearer ${KEY}`, `"${ID}"`, undefined],
])("says of %s with the ID %s what comes next", (authorization, id, next) => {
  const why = explain(authorization, id);
  if (next) expect(why.next).toMatchObject(next);
  else expect(why.next).toBeUndefined();
});

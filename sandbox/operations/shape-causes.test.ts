import { expect, it } from "vitest";
import { invoicesReconcile, jobsGet, jobsInsert, partsInsert, uploadsPrepare } from "../contract/operations/partner.ts";
import { explainShape } from "./shape-causes.ts";

it.each([
  [{}, "/identity", "No field was sent: "],
  [{ Identity: { external: "a" } }, "/identity", "is called `identity` here"],
  [{ job: { identity: {} } }, "/identity", "inside `job`"],
  [{ a: { b: { c: { repairer_site_id: "x" } } } }, "/identity", "inside `a.b.c`"],
  [{ a: { b: { c: { d: { repairer_site_id: "x" } } } } }, "/identity", "`a` isn’t a field here and was ignored."],
  [{ identity: 7 }, "/identity", "but a number was sent"],
  [{ identity: [] }, "/identity", "but an empty list was sent"],
  [{ identity: 7, job_number: 7 }, "/identity", "but a number was sent. `/job_number` must be string or null, but"],
  [{ identity: 7, job_number: 7, claim_number: 7 }, "/identity", "`/claim_number` and `/job_number` must be string or"],
  [{ identity: 7, if_: { exists: "[object Object]" } }, "/identity", "sent. `/if_/exists` holds an object"],
  [{ identity: 7, if_: { exists: "no" } }, "/identity", "`/if_/exists` must be one of update, replace."],
  [{ identity: { external: "a", id: "b" }, job_number: 7 }, "/identity", "only one of them. `/job_number` must be"],
  [{ Identity: { external: "a" }, job_number: 7 }, "/identity", "is missing. `/job_number` must be string or null"],
  [{ identity: "[object Object]" }, "/identity", "printed as text"],
  [{ identity: '{"external":"a"}' }, "/identity", "encoded twice"],
  [{ identity: { external: "a", id: "b" } }, "/identity", "Send only one of them."],
  [
    { identity: { external: "a" }, repairer_site_id: "x", job_number: 7 },
    "/repairer_site_id",
    "`/repairer_site_id` must be a UUID. `/job_number` must be",
  ],
  [{ identity: { id: " " } }, "/identity/id", "is an empty text"],
])("explains the shape of %j", (given, pointer, words) => {
  const body = "identity" in given ? { repairer_site_id: "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001", ...given } : given;
  expect(explainShape(jobsInsert.request, body, { pointer } as never).fact).toContain(words);
});

const vehicle = { chassis_number: null, plate_number: "ABC123", plate_state: null };
it.each([
  ["alone", {}],
  ["with an unknown field elsewhere", { vehicle: { ...vehicle, colour: "red" } }],
])("adds nothing to a single missing field, which the violation names: %s", (_what, more) => {
  const body = { identity: { external: "a" }, ...more };
  expect(explainShape(jobsInsert.request, body, { pointer: "/repairer_site_id" } as never)).toEqual({});
});

it("names fields inside another one, even if all of them are spelt differently", () => {
  const body = { data: { Identity: { external: "a" }, repairerSiteId: "x" } };
  const { fact, remedy } = explainShape(jobsInsert.request, body, { pointer: "/identity" } as never);
  expect(fact).toBe(
    "The fields are inside `data`. They belong at the top of the body. `Identity` is called `identity` here. `repairerSiteId` is called `repairer_site_id` here.",
  );
  expect(remedy).toMatch(/^Send what `data` holds as the whole body, with `Identity` as `identity`, with /);
});

it.each([
  [{}, "`/identity`, `/lines/0/quantity` and `/lines/0/unit_price` are missing."],
  [
    { Identity: { id: "a" } },
    "The field is called `identity` here: `Identity` was ignored. `/lines/0/quantity` and `/lines/0/unit_price` are missing.",
  ],
])("names all missing fields, wherever they belong: %j", (more, expected) => {
  const body = { lines: [{}], ...more };
  const { fact, pointers } = explainShape(invoicesReconcile.request, body, { pointer: "/identity" } as never);
  expect(fact).toBe(expected);
  expect(pointers).toEqual(["/identity", "/lines/0/quantity", "/lines/0/unit_price"]);
});

it("names a few fields with the same mistake, counts the others, and points at all", () => {
  const parts = Array.from({ length: 12 }, () => ({ quantity: "2" }));
  const body = { job_identity: { external: "a" }, parts: [{}, ...parts] };
  const { fact, pointers } = explainShape(partsInsert.request, body, { pointer: "/parts/1/quantity" } as never);
  expect(fact).toMatch(/^`\/parts\/1\/quantity`, .*`\/parts\/8\/quantity` and 4 more must be integer .* was sent\.$/);
  expect(pointers).toHaveLength(12);
});

it("tells what else to correct beside renamed fields", () => {
  const body = { Identity: { external: "a" }, repairer_site_id: "x" };
  const { remedy, pointers } = explainShape(jobsInsert.request, body, { pointer: "/identity" } as never);
  expect(remedy).toMatch(/^Rename .* Then correct `\/repairer_site_id`\.$/);
  expect(pointers).toEqual(["/identity", "/repairer_site_id"]);
});

const NUMBERED = /^`\/identity\/id` must be a UUID as text, but a number was sent\.$/;
it.each<[object, string, RegExp | undefined, RegExp | undefined]>([
  [{ identity: { id: 5 } }, "/identity/id", NUMBERED, undefined],
  [{ identity: { id: "x" } }, "/identity/id", undefined, undefined],
  [{ identity: { external: 5 } }, "/identity/external", /must be string, but a number was sent\.$/, undefined],
  [
    { identity: { id: null, external: "a" } },
    "/identity",
    /only one of them\. A field that is `null` counts/,
    undefined,
  ],
  [{ identity: { id: "a", external: "b" } }, "/identity", /only one of them\.$/, undefined],
  [{ identity: [] }, "/identity", /but an empty list was sent\.$/, /^Send an object with its fields\. PHP/],
  [{ identity: [1] }, "/identity", /but a list was sent\.$/, undefined],
  [{ identity: {} }, "/identity", undefined, undefined],
  [{ identity: { foo: 1 } }, "/identity", /ignored\. Exactly one of `id` and `external` is needed\.$/, undefined],
  [{ identity: { External: "1" } }, "/identity", /^The field is called `external` here/, /^Rename `External`/],
  [{ job_id: 3 }, "/identity", /^`\/job_id` was ignored: its place is `\/identity\/id`\.$/, /^Move `\/job_id` to/],
  [{ a: { b: '{"identity":{}}' } }, "/identity", /`a\.b`, as a text that contains JSON\./, /^Send what `a\.b` holds/],
])("explains the shape of %j and says what to do", (body, pointer, fact, remedy) => {
  const told = explainShape(jobsGet.request, body, { pointer } as never);
  for (const [text, pattern] of [
    [told.fact, fact],
    [told.remedy, remedy],
  ] as const)
    if (pattern) expect(text).toMatch(pattern);
    else expect(text).toBeUndefined();
});

const job = { identity: { external: "a" }, repairer_site_id: "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001" };
const images = (...sent: string[]) => ({ ...job, images: sent });
it.each([
  [
    images(...Array.from({ length: 101 }, () => "https://a.example")),
    "/images",
    "Send at most 100 items of `/images`.",
  ],
  [{ ...job, if_: { exists: "no" } }, "/if_/exists", 'Send `/if_/exists` as `"update"` or `"replace"`.'],
  [
    { ...job, if_: { exists: "{{x}}" } },
    "/if_/exists",
    "`/if_/exists` holds a placeholder: a variable was not filled in.",
  ],
  [{ ...job, identity: { external: "x\0" } }, "/identity/external", /contains the character U\+0000\.$/],
  [{ ...job, identity: { external: "x\ud800" } }, "/identity/external", /contains half of a character/],
  [images("C:\\a"), "/images/0", /holds the path of a file/],
  [images("data:x"), "/images/0", /holds the picture itself/],
  [images("a", "x data:", "x C:\\"), "/images/0", /^`\/images\/0`, `\/images\/1` and `\/images\/2` must be /],
])("names what a value of %j is", (body, pointer, expected) => {
  const { fact, remedy } = explainShape(jobsInsert.request, body, { pointer } as never);
  expect(remedy ?? fact).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
});

it("tells the items of a list apart from their list", () => {
  const body = { job_identity: { external: "a" }, description: "Clip", quantity: 1 };
  expect(explainShape(partsInsert.request, body, { pointer: "/parts" } as never)).toEqual({
    fact: "`description` and `quantity` aren’t fields here and were ignored. `/parts` is missing.",
    remedy: 'Send `parts`, a list. The fields of each object belong inside it: `{"parts":[{…}]}`.',
  });
  const upload = { file_name: "a.jpg", media_type: "x", type: "y" };
  expect(explainShape(uploadsPrepare.request, upload, { pointer: "/media_type" } as never)).toEqual({
    fact: "`/media_type` must be image. `/type` must be job_media.",
    pointers: ["/media_type", "/type"],
  });
});

it.each(["1e400", "-1e400", "12345678901234567890"])("describes %s without its rounded value", (quantity) => {
  const body = JSON.parse(`{"job_identity":{"external":"a"},"parts":[{"quantity":${quantity}}]}`);
  expect(explainShape(partsInsert.request, body, { pointer: "/parts/0/quantity" } as never).fact).toMatch(
    /, but a number too large to read exactly was sent\.$/,
  );
});

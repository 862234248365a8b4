import { expect, it } from "vitest";
import { invoicesReconcile, jobsInsert, partsInsert } from "../contract/operations/partner.ts";
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

import { expect, it } from "vitest";
import { jobsInsert, partsInsert } from "../contract/operations/partner.ts";
import { explainShape } from "./shape-causes.ts";

it.each([
  [{}, "/identity", "No field was sent: "],
  [{ Identity: { external: "a" } }, "/identity", "is called `identity` here"],
  [{ job: { identity: {} } }, "/identity", "inside `job`"],
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

it("adds nothing to a single missing field, which the violation names", () => {
  const body = { identity: { external: "a" } };
  expect(explainShape(jobsInsert.request, body, { pointer: "/repairer_site_id" } as never)).toEqual({});
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

import { expect, it } from "vitest";
import { jobsGet, jobsInsert, partsInsert } from "../contract/operations/partner.ts";
import { correctBody } from "./corrected-body.ts";

const SITE = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";
const wellFormed = { identity: { external: "a" }, repairer_site_id: SITE };

it.each<[string, object, object]>([
  ["names inside renamed fields", { Identity: { External: "a" }, repairerSiteId: SITE }, wellFormed],
  ["a field in the wrong place", { external: "a", repairer_site_id: SITE }, wellFormed],
  ["a wrong type", { ...wellFormed, job_number: 5 }, { ...wellFormed, job_number: "5" }],
])("corrects %s", (_what, sent, meant) => {
  const before = structuredClone(sent);
  expect(correctBody(jobsInsert.request, sent).body).toEqual(meant);
  expect(sent).toEqual(before);
});

it.each<[string, object]>([
  ["a field whose place is taken", { ...wellFormed, Identity: 3, external: "b" }],
  ["a field that would be a second key", { identity: { id: SITE }, external: "b", repairer_site_id: SITE }],
])("leaves %s", (_what, sent) => {
  expect(correctBody(jobsInsert.request, sent)).toEqual({ body: sent, edits: [] });
});

it("lists the edits with the values before and after", () => {
  const meant = [["/identity", { external: "a" }]] as const;
  expect(correctBody(jobsGet.request, { identity: { id: "a" } }, meant).edits).toEqual([
    { pointer: "/identity", before: { id: "a" }, after: { external: "a" }, reason: "the value belongs here" },
  ]);
  const reason = "/Identity is not a known field; did you mean identity?";
  expect(correctBody(jobsGet.request, { Identity: { external: "a" } }).edits).toEqual([
    { pointer: "/identity", after: { external: "a" }, reason },
    { pointer: "/Identity", before: { external: "a" }, reason },
  ]);
});

it("corrects no more than 20 names and 20 values", () => {
  const correct = (part: object) => {
    const body = { job_identity: { external: "a" }, parts: Array.from({ length: 21 }, () => ({ ...part })) };
    return (correctBody(partsInsert.request, body).body as typeof body).parts;
  };
  const part = { description: "Clip", quantity: 1 };
  for (const wrong of [
    { Description: "Clip", quantity: 1 },
    { description: "Clip", quantity: "1" },
  ])
    expect(correct(wrong)).toEqual([...Array.from({ length: 20 }, () => part), wrong]);
});

import { expect, test } from "vitest";
import { findMeantAddress, findOtherVersion, hasIdInPath, methodOf } from "./meant-address.ts";

test.each([
  ["/api/2026-01/procurements.cancel", "/__extensions/2026-01/procurements.cancel", true],
  ["/__extensions/2026-01/Procurements.Cancel", "/__extensions/2026-01/procurements.cancel", false],
  ["/api//2026-01//businesses.list", "/api/2026-01/businesses.list", false],
  ["/api/2026-01/businesses.list/", "/api/2026-01/businesses.list", false],
])("%s means %s; warns of an extension taken for the contract's: %s", (path, address, warns) => {
  const meant = findMeantAddress(path);
  expect([meant?.address, meant?.remedy.includes("real service")]).toEqual([address, warns]);
});

const LIST = "/api/2026-01/businesses.list";
test.each([
  ["/http://127.0.0.1:8787/api/2026-01/businesses.list", LIST, /^The address holds a whole URL/],
  ["/proxy/http://127.0.0.1:8787/api/2026-01/businesses.list", LIST, /^The address has `\/proxy\/http:.*` before/],
  ["/api", LIST, /^The name of the operation is missing/],
  ["/__extensions/v2.1-3/", LIST, /^The name of the operation is missing/],
  ["/api/2026-01/?page=1", LIST, /^The name of the operation is missing/],
  [`/proxy${LIST}`, LIST, /^The address has `\/proxy` before `\/api`/],
  ["/2026-01/businesses.list", LIST, /^`\/api` is missing/],
  ["/api/businesses.list", LIST, /^The address has no version: `2026-01` is missing/],
  [`/api/2026-01${LIST}`, LIST, /^The address has `\/api\/2026-01` twice/],
  ["/api/2026-01/api/businesses.list", LIST, /^The address has `api` twice/],
  [`${LIST}%20`, LIST, /^The address ends with a space/],
  ["/api/2026-01/Businesses.List", LIST, /^The address has upper-case letters/],
  [`${LIST}/?page=1`, LIST, /^The address ends with a slash/],
  ["/api/2026-01//businesses.list", LIST, /^The address has two slashes in a row/],
  ["/api/2026-01/businesses/list", LIST, /^The name of an operation is written with dots/],
  ["/__extensions/2026-01/businesses.list", LIST, /is an operation of the contract/],
  ["/api/2026-01/requests.list", "/__sandbox/requests.list", /is an operation of the control plane/],
  ["/oauth/token", "/api/2026-01/integrations.insert", /^The service has no token endpoint/],
  ["/oauth2/authorize?client_id=x", "/__oauth/authorize", /^The consent page has another address/],
  ["/api/v1/jobs/update", "/api/2026-01/repairer.jobs.insert", /also updates a job/],
  ["/api/2026-01/repairer.job.parts.patch", "/api/2026-01/repairer.jobs.parts.insert", /also updates a part/],
  ["/api/2026-01/jobs.parts.delete", "/api/2026-01/repairer.jobs.parts.insert", /^No operation deletes a part/],
  ["/api/2026-01/repairer.jobs.search", "/api/2026-01/repairer.jobs.get", /^No operation lists jobs/],
  ["/api/2026-01/supplier.orders.list", "/api/2026-01/supplier.procurements.get", /lists a supplier’s orders/],
  ["/api/2026-01/supplier.orders.reject", "/__extensions/2026-01/procurements.cancel", /^Both sides cancel/],
  ["/api/2026-01/webhooks.delete", "/__sandbox/subscriptions.delete", /deletes a subscription/],
  ["/api/2026-01/webhooks.subscribe", "/__webhooks/subscribe", /^Subscriptions are created at/],
  ["/API/2026-01/businesses.list", LIST, /^The address has upper-case letters/],
  ["/api/businessesList.json", LIST, /^The address has no version/],
  ["/_sandbox/clock.get", "/__sandbox/clock.get", /^One underscore is missing.* with `\/__sandbox\/`\.$/],
  ["/media/a.png", "/__media/a.png", /^Two underscores are missing/],
  ["/__uploads", "/__uploads/", /^The address has no upload’s ID/],
  ["/__uploads/", "/__uploads/", /^The address has no upload’s ID/],
  ["/__uploads/a/b/c", "/__uploads/a", /^The address has `\/b\/c` behind the upload’s ID/],
])("explains %s", (url, address, fact) => {
  expect(findMeantAddress(url)).toMatchObject({ address, fact: expect.stringMatching(fact) });
});

test("sends the picture of an upload to its whole address", () => {
  const remedies = ["/uploads/a", "/media/a", "/__uploads/"].map((url) => findMeantAddress(url)?.remedy);
  expect(remedies).toEqual([
    expect.stringMatching(/^Send the picture/),
    expect.stringMatching(/^Send the call/),
    remedies[0],
  ]);
});

test("takes the method of an address from its beginning", () => {
  const addresses = [
    "/__oauth/authorize",
    "/__media/a",
    "/__uploads/a",
    LIST,
    `/x/__oauth/`,
    "/x/__uploads/",
    undefined,
  ];
  expect(addresses.map(methodOf)).toEqual(["GET", "GET", "PUT", "POST", "POST", "POST", "POST"]);
});

test.each([
  ...["/", "/nothing", "/api/2026-01/nothing", "/http://only-a-host", "/x/api", "/api/2026-01x", "/apix"],
  ...["/api/2026-01/businesses%2Elist", "/x_oauth/a", "/oauth/", "/__uploads/a", "/x/__uploads"],
])("%s means no other address", (url) => {
  expect(findMeantAddress(url)).toBeNull();
});

test("finds an ID and another version in the path only", () => {
  const id = "7b0a3f0c-6a37-4c1e-9a3e-2f7c33b6a001";
  expect([`/jobs/${id}`, `/jobs/${id}/parts`, `/jobs?id=/${id}`, `/jobs/x${id}`].map(hasIdInPath)).toEqual([
    ...[true, true, false, false],
  ]);
  expect(["/api/2025-12/x", "/__extensions/v2/x", LIST, "/v2/x", "/api/x"].map(findOtherVersion)).toEqual([
    ...["2025-12", "v2", null, null, null],
  ]);
});

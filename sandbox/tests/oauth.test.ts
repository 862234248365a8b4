import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accessCodesIssue, organizationsList } from "../contract/control/operations.ts";
import { clockAdvance, worldsReset } from "../contract/control/world-operations.ts";
import { businessesList, integrationsInsert } from "../contract/operations/partner.ts";
import { startTestService, type TestService } from "../testing/harness.ts";

let service: TestService;
let demo: { client_id: string; client_secret: string };
beforeAll(async () => {
  service = await startTestService();
  demo = { ...(service.ready.clients?.demo ?? { client_id: "", client_secret: "" }) };
});
// The limit of unused codes is the world's.
beforeEach(() => service.control(worldsReset, { world: "default", checkpoint: false }));
afterAll(() => service.end());

const REDIRECT = "http://127.0.0.1:5173/callback?keep=1";
const authorize = (query: Record<string, string>) =>
  service.raw(`/__oauth/authorize?${new URLSearchParams(query)}`, { method: "GET" });
const asked = { redirect_uri: REDIRECT, state: 'a&b="<c>"' };

const decodeEntities = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
const hiddenFields = (html: string): URLSearchParams =>
  new URLSearchParams(
    [...html.matchAll(/<input type="hidden" name="([a-z_]+)" value="([^"]*)">/g)].map(([, name = "", value = ""]) => [
      name,
      decodeEntities(value),
    ]),
  );
const answer = (fields: URLSearchParams) =>
  service.raw("/__oauth/authorize", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: fields.toString(),
  });
const organizationIn = (html: string, scope: string): string =>
  new RegExp(`value="([0-9a-f-]{36})"[^>]*>(?:(?!</label>).)*<span>${scope}</span>`).exec(html)?.[1] ?? "";

test("D21: a person chooses an organization and returns with a code and the unchanged state, and the code installs", async () => {
  for (const scope of ["repairer", "supplier"]) {
    const page = await authorize({ client_id: demo.client_id, ...asked });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const fields = hiddenFields(page.text);
    fields.set("organization_id", organizationIn(page.text, scope));
    fields.set("decision", "approve");
    const sent = await answer(fields);
    expect(sent.status).toBe(303);
    const location = new URL(sent.headers.get("location") ?? "");
    expect([
      location.origin,
      location.pathname,
      location.searchParams.get("keep"),
      location.searchParams.get("state"),
    ]).toEqual(["http://127.0.0.1:5173", "/callback", "1", asked.state]);
    const installed = await service.ok(integrationsInsert, {
      ...demo,
      access_code: location.searchParams.get("code") ?? "",
    });
    const businesses = await service.ok(businessesList, {}, installed);
    expect(businesses.items[0]?.type).toBe(scope);
  }
});

test("a response of the consent page counts once, and a reopened page has a new one", async () => {
  const open = async (): Promise<URLSearchParams> => {
    const page = await authorize({ client_id: demo.client_id, ...asked });
    const fields = hiddenFields(page.text);
    fields.set("organization_id", organizationIn(page.text, "repairer"));
    fields.set("decision", "approve");
    return fields;
  };
  const [one, other] = await Promise.all([open(), open()]);
  expect([await answer(one), await answer(one), await answer(other)].map(({ status }) => status)).toEqual([
    303, 403, 303,
  ]);
});

/** Approves on the consent page, which needs no key. */
const approve = async (scope: string) => {
  const page = await authorize({ client_id: demo.client_id, ...asked });
  const fields = hiddenFields(page.text);
  fields.set("organization_id", organizationIn(page.text, scope));
  fields.set("decision", "approve");
  return answer(fields);
};

test("D86: anonymous approvals are limited to 100 per organization, and leave a partner's unused code valid", async () => {
  const { items } = await service.control(organizationsList, {});
  const organization_id = items.find(({ scope }) => scope === "repairer")?.id ?? "";
  const issue = () =>
    service.call(accessCodesIssue, { client_id: demo.client_id, organization_id, scope: "repairer" }, undefined, {
      authorization: `Bearer ${service.ready.control_token}`,
    });
  const install = (access_code: string) => service.call(integrationsInsert, { ...demo, access_code });
  // Expired and used codes don't count.
  for (let count = 0; count < 3; count += 1) expect((await issue()).status).toBe(200);
  await service.control(clockAdvance, { seconds: 901 });
  const partners = (await issue()).body.access_code;
  await install((await issue()).body.access_code);

  const statuses: number[] = [];
  for (let count = 0; count < 110; count += 1) statuses.push((await approve("repairer")).status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(99);
  expect(statuses.slice(99)).toEqual(Array.from({ length: 11 }, () => 400));

  const page = await approve("repairer");
  expect(page.headers.get("location")).toBeNull();
  expect(page.text).toContain("This organization has too many unused access codes.");
  const refused = await issue();
  expect(refused).toMatchObject({ status: 400, body: { type: "bad_request" } });
  expect(refused.text).toMatch(/already has 100 unused access codes, the limit\. Use one of them, or wait: the next/);
  // Another organization has its own limit, and the partner's code still works.
  expect((await approve("supplier")).status).toBe(303);
  expect((await install(partners)).status).toBe(200);
  expect((await issue()).status).toBe(200);
});

test("a denial returns access_denied", async () => {
  const fields = hiddenFields((await authorize({ client_id: demo.client_id, ...asked })).text);
  fields.set("decision", "deny");
  const location = new URL((await answer(fields)).headers.get("location") ?? "");
  expect([location.searchParams.get("error"), location.searchParams.get("code")]).toEqual(["access_denied", null]);
});

test.each([
  ["an unknown client", { client_id: "nobody" }, "No client has this client_id."],
  ["no client", { client_id: "" }, "The client_id is missing."],
  ["a client without OAuth", { client_id: "demo-client-no-oauth" }, "Use a client that is enabled."],
  ["a foreign redirect", { redirect_uri: "https://evil.example/callback" }, "The redirect_uri is not allowed"],
  ["no redirect", { redirect_uri: "" }, "The redirect_uri is missing."],
  ["a loopback look-alike", { redirect_uri: "http://127.0.0.1.evil.example/" }],
  ["embedded credentials", { redirect_uri: "http://127.0.0.1@evil.example/" }],
  ["another scheme", { redirect_uri: "javascript:alert(1)" }],
  ["an invalid address", { redirect_uri: "callback" }],
  ["an invalid world name", { world: "../x" }],
])("D21: %s shows a page and doesn't redirect", async (_, change, reason = "") => {
  const page = await authorize({ client_id: demo.client_id, ...asked, ...(change as Record<string, string>) });
  expect([page.status, page.headers.get("location")]).toEqual([400, null]);
  expect(page.text).toContain("Can’t continue this install");
  expect(page.text).toContain(reason);
});

test("a response from another page is refused", async () => {
  const page = await authorize({ client_id: demo.client_id, ...asked });
  const honest = () => {
    const fields = hiddenFields(page.text);
    fields.set("organization_id", organizationIn(page.text, "repairer"));
    fields.set("decision", "approve");
    return fields;
  };
  const forged = honest();
  forged.delete("proof");
  expect((await answer(forged)).status).toBe(403);
  const swapped = honest();
  swapped.set("redirect_uri", "http://127.0.0.1:6666/");
  expect((await answer(swapped)).status).toBe(403);
});

test("values of the address are shown as text, never as markup", async () => {
  const page = await authorize({
    client_id: demo.client_id,
    redirect_uri: REDIRECT,
    state: '"><script>alert(1)</script>',
  });
  expect(page.text).not.toContain("<script>");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
});

import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService, temporaryFolder } from "../testing/harness.ts";

/** Layout of a build: the explorer, and optionally the help beside it. */
const folder = temporaryFolder();
const explorer = (name: string) => path.join(folder, name, "renderer");
let withHelp: TestService;
let without: TestService;
beforeAll(async () => {
  for (const name of ["with", "without"]) {
    fs.mkdirSync(explorer(name), { recursive: true });
    fs.writeFileSync(path.join(explorer(name), "index.html"), "<!doctype html><title>explorer</title>");
  }
  const help = path.join(folder, "with/help");
  fs.mkdirSync(path.join(help, "reference"), { recursive: true });
  for (const name of ["index.html", "404.html", "reference/index.html", "reference/index.md"])
    fs.writeFileSync(path.join(help, name), `# ${name}`);
  withHelp = await startTestService(undefined, { explorerFolder: explorer("with") });
  without = await startTestService(undefined, { explorerFolder: explorer("without") });
});
afterAll(async () => {
  await withHelp.end();
  await without.end();
  fs.rmSync(folder, { recursive: true });
});

const get = (service: TestService, address: string) => service.raw(address, { method: "GET" });

test("the help has the explorer's policy, and redirects without a trailing slash", async () => {
  const [home, page, twin] = await Promise.all(
    ["/help/", "/help/reference/", "/help/reference/index.md"].map((address) => get(withHelp, address)),
  );
  expect([home?.text, page?.text, twin?.text]).toEqual([
    "# index.html",
    "# reference/index.html",
    "# reference/index.md",
  ]);
  expect(twin?.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const policy = (await get(withHelp, "/")).headers.get("content-security-policy");
  expect(policy).toContain("script-src 'self';");
  for (const answer of [home, page, twin]) expect(answer?.headers.get("content-security-policy")).toBe(policy);
  for (const [address, to] of [
    ["/help", "/help/"],
    ["/help/reference", "/help/reference/"],
  ] as const) {
    const moved = await get(withHelp, address);
    expect([moved.status, moved.headers.get("location")]).toEqual([301, to]);
  }
});

test("a missing help page, and a service without help, explain what to do", async () => {
  const missing = await get(withHelp, "/help/referense/");
  expect([missing.status, missing.text]).toEqual([404, "No help page at /help/referense/. Start at /help/."]);
  const page = await withHelp.raw("/help/nosuch", { method: "GET", headers: { accept: "text/html,*/*;q=0.8" } });
  expect([page.status, page.text, page.headers.get("content-type")]).toEqual([
    404,
    "# 404.html",
    "text/html; charset=utf-8",
  ]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
  for (const address of ["/help", "/help/", "/help/reference/"]) {
    const { status, text } = await get(without, address);
    expect([status, text]).toEqual([
      404,
      "The help pages are not built. Run `npm run docs`, then start the service again.",
    ]);
  }
  expect((await get(without, "/helpers")).text).toContain("<title>explorer");
});

import { beforeEach, expect, test, vi } from "vitest";
import { activity } from "../command/activity.ts";
import { tokensCreate } from "../contract/control/service-operations.ts";
import { jobsGet } from "../contract/operations/partner.ts";
import { UNUSED_ID } from "../contract/values.ts";
import { repairer, startTestService, type TestService } from "../testing/harness.ts";
import { keepPrinted } from "../testing/printed.ts";

/** Hides the machine's own services. */
const NOBODY = { SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "", SANDBOX_READY_FILE: "", SANDBOX_DATA: "" };

let service: TestService;
// Signals that end the command would end these tests too.
beforeEach(async () => {
  vi.spyOn(process, "once").mockReturnThis();
  for (const [name, value] of Object.entries(NOBODY)) vi.stubEnv(name, value);
  service = await startTestService();
  return async () => {
    vi.unstubAllEnvs();
    await service.end();
  };
});

/** Runs the command in this process. @returns its status and what it printed */
const run = async (...args: string[]) => {
  const printed = keepPrinted();
  const status = await activity(["--url", service.baseUrl, ...args]);
  return { status, ...printed };
};
const miss = (world: string, agent: string) =>
  service.call(jobsGet, { identity: { id: UNUSED_ID } }, repairer, { "x-sandbox-tenant": world, "user-agent": agent });

test("prints failures by cause, with callers and the last call", async () => {
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", service.ready.control_token);
  expect((await run()).stdout).toMatch(/^Nothing went wrong since \d{4}-\d\d-\d\d \d\d:\d\d:00 UTC\.\n$/);
  for (const world of ["one", "two"]) await service.make(world);
  await miss("one", "acme/1");
  await miss("one", "acme/1");
  const last = await miss("two", "evil\u009b2J");
  const { status, stdout, stderr } = await run("--since", "1h");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^3 refused calls and 0 failed delivery attempts since /);
  expect(stdout).toContain("\n     3  404  ");
  expect(stdout).toMatch(/\n {9}2 {2}one: .+, buyer, \w{6}…\w{4}, acme\/1\n/);
  expect(stdout).toContain(`repairer.jobs.get  ${last.headers.get("x-request-id")} in two`);
  expect(stdout).not.toContain("\u009b");
  expect((await run("--world", "two")).stdout).toMatch(/^1 refused call /);
  expect(await run("--world", "nosuch")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error: World nosuch doesn’t exist\./),
  });
  expect((await run("--user-agent", "acme")).stdout).toMatch(/^2 refused calls /);
  const { integration_id } = repairer;
  expect((await run("--integration", integration_id)).stdout).toMatch(/^3 refused calls /);
});

test("a world token prints its own world, and a wrong token or option exits with 2", async () => {
  for (const world of ["one", "secret-plan"]) {
    await service.make(world);
    await miss(world, "acme/1");
  }
  const { token } = await service.control(tokensCreate, { world: "one", name: "One", scope: "view" });
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", token);
  const { stdout } = await run();
  expect(stdout).toMatch(/^1 refused call /);
  expect(stdout).not.toContain("secret-plan");
  expect((await run("--world", "secret-plan")).status).toBe(2);
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", "nonsense");
  expect((await run()).status).toBe(2);
  for (const wrong of [["--since", "soon"], ["--world", "../x"], ["--integration", "1"], ["--nonsense"]]) {
    keepPrinted();
    await expect(activity(wrong), wrong.join(" ")).rejects.toMatchObject({ code: /^commander\./ });
  }
});

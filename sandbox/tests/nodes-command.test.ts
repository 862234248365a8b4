import { randomUUID } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { nodes } from "../command/nodes.ts";
import { startTestService, type TestService } from "../testing/harness.ts";
import { keepPrinted } from "../testing/printed.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  vi.stubEnv("SANDBOX_CONTROL_TOKEN", service.ready.control_token);
  return async () => {
    vi.unstubAllEnvs();
    await service.end();
  };
});

const run = async (...args: string[]) => {
  const printed = keepPrinted();
  const status = await nodes([...args, "--url", service.baseUrl]);
  return { status, ...printed };
};

test("says that a sandbox is on one machine, and exits with 2 for an unknown node ID", async () => {
  expect(await run()).toMatchObject({ status: 0, stdout: "This sandbox is on one machine.\n" });
  expect(await run("drain", randomUUID())).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^error: [0-9a-f-]{36}: no such node\. [^{]+\n$/),
  });
  await expect(run("drain", "first")).rejects.toMatchObject({ code: "commander.invalidArgument" });
});

import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { GenericContainer, TestContainers, Wait } from "testcontainers";

const PORT = 8787;

test("a webhook arrives", async () => {
  await TestContainers.exposeHostPorts(PORT);
  const sandbox = await new GenericContainer("integrations-explorer-sandbox")
    .withExposedPorts(4026)
    .withEnvironment({ SANDBOX_RECEIVER_HOST: "host.testcontainers.internal" })
    .withWaitStrategy(Wait.forHttp("/__health", 4026))
    .start();
  const env = {
    ...process.env,
    SANDBOX_BASE_URL: `http://${sandbox.getHost()}:${sandbox.getMappedPort(4026)}`,
    RECEIVER_HOST: "host.testcontainers.internal",
    PORT: `${PORT}`,
  };
  execFileSync("node", ["webhook-test.mjs"], { env, stdio: "inherit" });
  await sandbox.stop();
});

import { expect, onTestFinished, test } from "vitest";
import { CommandProcess } from "../testing/process.ts";

const start = (...args: string[]): CommandProcess => {
  const command = new CommandProcess(args);
  onTestFinished(async () => void (await command.kill("SIGKILL")));
  return command;
};

test("exec runs a command with its own service and exits with the command's status", async () => {
  const script =
    "fetch(process.env.SANDBOX_BASE_URL + '/api/2026-01/businesses.list', { method: 'POST', headers: { authorization: 'Bearer ' + process.env.SANDBOX_SUPPLIER_API_KEY, 'service-integration-id': process.env.SANDBOX_SUPPLIER_INTEGRATION_ID } }).then((answer) => { console.log(answer.status); process.exit(7); })";
  const ended = await new CommandProcess(["exec", "--", process.execPath, "-e", script]).ended;
  expect(ended).toMatchObject({ status: 7, stdout: "200\n", stderr: "" });
});

test("exec passes the command the secrets that sign notifications", async () => {
  const script = `const { SANDBOX_BASE_URL: base, ...given } = process.env;
for (const side of ["REPAIRER", "SUPPLIER"]) {
  const [key, id, secret] = ["API_KEY", "INTEGRATION_ID", "WEBHOOK_SECRET"].map((name) => given[\`SANDBOX_\${side}_\${name}\`]);
  const headers = { authorization: \`Bearer \${key}\`, "service-integration-id": id };
  const told = await fetch(base + "/__webhooks/secret", { method: "POST", headers });
  console.log(typeof secret, (await told.json()).secret === secret);
}`;
  const ended = await new CommandProcess(["exec", "--", process.execPath, "--input-type=module", "-e", script]).ended;
  expect(ended).toMatchObject({ status: 0, stdout: "string true\nstring true\n" });
});

test("exec passes arguments on unchanged", async () => {
  const given = ["two words", '"quoted"', "it's", "", "*", "$HOME", "%PATH%", "a&b|c>d", "--help", "back\\\\slash\\"];
  const script = "console.log(JSON.stringify(process.argv.slice(1)))";
  const ended = await new CommandProcess(["exec", "--", process.execPath, "-e", script, "--", ...given]).ended;
  expect(JSON.parse(ended.stdout)).toEqual(given);
});

test.skipIf(process.platform === "win32")(
  "exec forwards signals, and exits with the status of the command",
  async () => {
    for (const [signal, status] of [
      ["SIGINT", 2],
      ["SIGTERM", 15],
      ["SIGHUP", 1],
    ] as const) {
      const script = `process.on("${signal}", () => process.exit(${status})); setInterval(() => {}, 1_000); console.log("up");`;
      const command = start("exec", "--", process.execPath, "-e", script, "--");
      await expect.poll(() => command.stdout, { timeout: 10_000 }).toBe("up\n");
      expect(await command.kill(signal)).toMatchObject({ status, stderr: "" });
    }
  },
);

test("exec reports a command that it can't run, and prints its usage", async () => {
  const run = (...args: string[]) => new CommandProcess(["exec", ...args]).ended;
  expect(await run("--", "no-such-program-anywhere")).toMatchObject({
    status: 127,
    stderr: "error: There is no program no-such-program-anywhere. Check its name and PATH.\n",
  });
  expect(await run()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^error: name the command/) });
  expect(await run("--nope", "--", "true")).toMatchObject({ status: 2, stderr: expect.stringMatching(/--nope.*\n$/) });
  const { status, stdout } = await run("--help");
  expect([status, stdout]).toEqual([0, expect.stringContaining("Usage: sandbox exec -- COMMAND")]);
});

import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestService } from "../testing/harness.ts";

const README = path.join(import.meta.dirname, "..", "..", "README.md");

const transcript = (): string => {
  const block = /<!-- transcript:[^>]*-->\n```sh\n([\s\S]*?)```/.exec(fs.readFileSync(README, "utf8"))?.[1];
  if (!block) throw new Error("README.md has no transcript");
  return block;
};

test("the README's curl transcript runs exactly as it is printed and ends in five deliveries", async () => {
  const service = await startTestService();
  const env = {
    ...process.env,
    SANDBOX_BASE_URL: service.baseUrl,
    SANDBOX_READY_FILE: path.join(service.folder, "service.json"),
  };
  try {
    const { stdout } = await promisify(execFile)("bash", ["-c", transcript()], { env });
    const lines = stdout.trim().split("\n");
    expect(lines.slice(-6)).toEqual([
      "order_confirmed",
      "supplier.procurements order_confirmed delivered",
      "repairer.procurements order_confirmed delivered",
      "supplier.procurements order_requested delivered",
      "repairer.procurements order_requested delivered",
      "repairer.jobs inserted delivered",
    ]);
  } finally {
    await service.end();
  }
}, 30_000);

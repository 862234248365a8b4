import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { findProgram, missingProgram } from "../../testing/debian.ts";

const MINUTES = 3;

test(
  "three minutes of failing nodes, database and networks lose nothing acknowledged",
  (context) => {
    if (!findProgram("patroni") || !findProgram("etcd")) return context.skip(missingProgram("Patroni"));
    const command = [
      path.join(import.meta.dirname, "..", "main.ts"),
      "--cluster",
      "--minutes",
      String(MINUTES),
      "--worlds",
      "100",
    ];
    const { status, stdout } = spawnSync(process.execPath, command, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    console.log(stdout);
    expect(stdout).toContain("Everything held: 0 lost.");
    expect(status).toBe(0);
  },
  (MINUTES + 10) * 60_000,
);

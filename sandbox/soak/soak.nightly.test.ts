import fs from "node:fs";
import { onTestFinished, test } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";
import { Soak } from "./soak.ts";

const MINUTES = 30;

test(
  "half an hour of kill -9 with 400 active worlds loses no acknowledged change and no exchange",
  async () => {
    const data = temporaryFolder();
    const end = Date.now() + MINUTES * 60_000;
    const soak = new Soak({
      data,
      worlds: 400,
      start: (...args) => new CommandProcess(args),
      pauseMs: 1_000,
      life: { least: 400, most: 8_000 },
      over: () => Date.now() > end,
      say: (line) => console.log(line),
    });
    onTestFinished(async () => {
      await soak.end();
      fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    });
    await soak.run();
  },
  (MINUTES + 15) * 60_000,
);

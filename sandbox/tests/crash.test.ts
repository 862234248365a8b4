import fs from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { Soak } from "../soak/soak.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";

const KILLS = 2;
const LIFE = { least: 40, most: 100 };

test("kill -9 during writes loses no acknowledged change, event or exchange", async () => {
  const data = temporaryFolder();
  const soak = new Soak({
    data,
    worlds: 4,
    start: (...args) => new CommandProcess(args),
    pauseMs: 5,
    life: LIFE,
    over: (kills) => kills >= KILLS,
    say: () => undefined,
  });
  onTestFinished(async () => {
    await soak.end();
    fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  });
  const counts = await soak.run();
  expect(counts.kills).toBe(KILLS);
  expect(counts.acknowledged).toBeGreaterThan(LIFE.least * KILLS);
  expect(counts.notifications).toBeGreaterThanOrEqual(counts.acknowledged);
  console.log(JSON.stringify(counts));
}, 120_000);

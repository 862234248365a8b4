import fs from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { countsText, Soak } from "../soak/soak.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { dice } from "../testing/many-jobs.ts";
import { CommandProcess } from "../testing/process.ts";

const KILLS = 3;
const LIFE = { least: 60, most: 140 };

test("kill -9 in the middle of writes loses nothing that was acknowledged, and no event of it", async () => {
  const data = temporaryFolder();
  const seed = Date.now() % 1_000_000;
  const soak = new Soak({
    data,
    start: (...args) => new CommandProcess(args),
    roll: dice(seed),
    writers: 4,
    pauseMs: 5,
    hangOneIn: 200,
    life: LIFE,
    over: (kills) => kills >= KILLS,
    say: () => undefined,
  });
  onTestFinished(async () => {
    await soak.end();
    fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  });
  const counts = await soak.run();
  expect(counts.kills).toBeGreaterThanOrEqual(KILLS);
  expect(counts.acknowledged).toBeGreaterThan(LIFE.least * KILLS);
  // Each change is told to two addresses of the buyer, those of an order to the seller too.
  expect(counts.notifications - counts.repeats).toBeGreaterThanOrEqual(counts.acknowledged * 2);
  console.log(`${countsText(counts)}, seed ${seed}`);
}, 120_000);

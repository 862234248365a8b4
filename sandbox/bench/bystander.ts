// Another client: requests one address repeatedly for some seconds, and prints the response times in milliseconds as a
// line of JSON.
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 5;

const [address = "", seconds] = process.argv.slice(2);
const get = async (): Promise<number> => {
  const startedAt = performance.now();
  await (await fetch(address)).arrayBuffer();
  return performance.now() - startedAt;
};
// Excludes the first connection, which takes longer.
await get();
const waits: number[] = [];
for (const end = performance.now() + Number(seconds) * 1_000; performance.now() < end; await sleep(PAUSE_MS))
  waits.push(await get());
process.stdout.write(`${JSON.stringify(waits)}\n`);

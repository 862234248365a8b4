// Somebody else: gets one address again and again for so many seconds, and says in one line of JSON how long each answer
// took, in milliseconds.
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 5;

const [address = "", seconds] = process.argv.slice(2);
const get = async (): Promise<number> => {
  const began = performance.now();
  await (await fetch(address)).arrayBuffer();
  return performance.now() - began;
};
// The first connection takes longer than what is measured.
await get();
const waits: number[] = [];
for (const end = performance.now() + Number(seconds) * 1_000; performance.now() < end; await sleep(PAUSE_MS))
  waits.push(await get());
process.stdout.write(`${JSON.stringify(waits)}\n`);

import { median } from "../statistics.ts";
import { LoadConnection } from "./load-connection.ts";
import type { LoadOrder, LoadResult } from "./load-order.ts";

const numbersOf = (numbers: LoadOrder["numbers"]): (() => number) => {
  if ("below" in numbers) return () => Math.floor(Math.random() * numbers.below);
  let next = numbers.from;
  return () => next++;
};

/** Sends and counts. @throws when an answer has another status than the order's, with what it said */
export const runLoad = async (order: LoadOrder): Promise<LoadResult> => {
  const number = numbersOf(order.numbers);
  const most = order.requests ?? Number.POSITIVE_INFINITY;
  const began = performance.now();
  const countFrom = began + order.warmupMs;
  const until = countFrom + order.measureMs;
  const times: number[] = [];
  let sent = 0;
  let answered = 0;
  let lastAnswer = began;
  let cpuAtCount = process.cpuUsage();
  const connections = Array.from(
    { length: order.connections },
    () =>
      new LoadConnection(order, {
        next: () => {
          if (sent >= most || performance.now() >= until) return null;
          sent += 1;
          return number();
        },
        answered: (startedAt, now) => {
          answered += 1;
          if (now < countFrom) {
            cpuAtCount = process.cpuUsage();
            return;
          }
          // The stragglers of a time that is up say nothing, unless there was nothing before them.
          if (now > until && times.length > 0) return;
          lastAnswer = now;
          times.push(now - startedAt);
        },
      }),
  );
  try {
    await Promise.all(connections.map((connection) => connection.run()));
  } finally {
    for (const connection of connections) connection.close();
  }
  const counted = lastAnswer - countFrom;
  const { user, system } = process.cpuUsage(cpuAtCount);
  if (times.length === 0) throw new Error("Nothing was answered while counting.");
  return {
    answered,
    perSecond: (times.length / counted) * 1_000,
    medianMs: median(times),
    endedAt: Date.now(),
    processor: (user + system) / 1_000 / counted,
  };
};

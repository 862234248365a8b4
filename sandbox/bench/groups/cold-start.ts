import type { Bench } from "../bench.ts";
import { measureInterleaved } from "../plan.ts";
import { ended } from "../processes/children.ts";
import { timeServiceStart } from "../processes/service-start.ts";
import { comparedRow, plainRow, type Row } from "../row.ts";
import { median, rangeOf } from "../statistics.ts";

const GROUP = "cold-start";

const timeNothing = async (bench: Bench): Promise<number> => {
  const began = performance.now();
  await ended(bench.children.spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }));
  return performance.now() - began;
};

/** From nothing to the first answer: in a folder never used before, and in one that was. */
export const measureColdStart = async (bench: Bench): Promise<Row[]> => {
  let folders = 0;
  const { nothing, first, again } = await measureInterleaved(
    {
      nothing: () => timeNothing(bench),
      first: async () => {
        folders += 1;
        return (await timeServiceStart(bench, `cold-start-${folders}`)).milliseconds;
      },
      again: async () => (await timeServiceStart(bench, "cold-start-1")).milliseconds,
    },
    bench.pace.repetitions * 2 + 1,
  );
  return [
    plainRow(
      GROUP,
      "cold start headless, spawn to first 200, a new data folder",
      { value: median(first), unit: "ms" },
      {
        target: { most: 300 },
        range: rangeOf(first),
        samples: { first, again },
        notes: [`${median(again).toFixed(0)} ms in a folder that was used before`],
      },
    ),
    comparedRow({
      group: GROUP,
      what: "the same, against `node -e 0`",
      unit: "ms",
      values: first,
      reference: { name: "node -e 0", values: nothing },
      target: { most: 8 },
    }),
  ];
};

import { ClusterSoak } from "./cluster-soak.ts";
import type { StagePlan } from "./stage.ts";
import { Throughput } from "./throughput.ts";

/** The command's options, passed to the process that runs the machines. */
export interface ClusterSoakRequest extends Omit<StagePlan, "hasSmallDisks" | "isDisturbed"> {
  readonly minutes: number;
  readonly worlds: number;
  readonly isThroughput: boolean;
  /** Null: each failure in turn. */
  readonly only: string | null;
}

const request = JSON.parse(process.argv[2] ?? "") as ClusterSoakRequest;
const startedAt = performance.now();
const elapsedMinutes = (): number => (performance.now() - startedAt) / 60_000;
const say = (line: string): void => void process.stderr.write(`${elapsedMinutes().toFixed(1)} min  ${line}\n`);

const run = request.isThroughput
  ? new Throughput({ ...request, hasSmallDisks: false, isDisturbed: false, say })
  : new ClusterSoak({
      ...request,
      hasSmallDisks: request.isApart,
      isDisturbed: true,
      say,
      over: () => elapsedMinutes() >= request.minutes,
    });

// The parent process ends this one by closing the pipe, even when it is killed.
process.stdin.on("end", () => void run.end().finally(() => process.exit(130))).resume();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

let fault: string | null = null;
try {
  await run.run();
} catch (error) {
  fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
}
process.stdout.write(`${run.report()}\n`);
process.stdout.write(
  fault === null ? (request.isThroughput ? "" : "Everything held: 0 lost.\n") : `Did not hold: ${fault}\n`,
);
await run.end();
process.exit(fault === null ? 0 : 1);

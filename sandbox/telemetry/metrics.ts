import type { Counter, Gauge } from "prom-client";
import type { Sent } from "../webhooks/send.ts";

const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A figure that is looked up when somebody asks: its name, which ends with `_total` where it only grows, what it says, and how it is looked up. */
export type Figure = readonly [name: string, help: string, value: () => number];

/** What is looked up when somebody asks. */
interface MetricSources {
  /** Worlds there are, and those whose files are open. */
  worlds(): { readonly all: number; readonly open: number };
  /** Deliveries that wait in the worlds that are open. */
  waiting(): number;
  /** Connections to the live feed. */
  readers(): number;
}

/**
 * Counts what happens in the service, in a registry of its own, with what Node tells of the process.
 *
 * @param figures others
 */
export const createMetrics = async (looked: MetricSources, figures: readonly Figure[]) => {
  const prom = await import("prom-client");
  const registry = new prom.Registry<typeof prom.openMetricsContentType>();
  registry.setContentType(prom.openMetricsContentType);
  const registers = [registry];
  prom.collectDefaultMetrics({ register: registry });
  const calls = new prom.Counter({
    name: "sandbox_calls_total",
    help: "Calls that got a response, by route and HTTP status",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new prom.Histogram({
    name: "sandbox_call_duration_seconds",
    help: "Time from a call to its response, by route",
    labelNames: ["route"],
    buckets: CALL_SECONDS,
    registers,
  });
  const attempts = new prom.Histogram({
    name: "sandbox_delivery_attempt_duration_seconds",
    help: "Time of an attempt to deliver a notification, by outcome",
    labelNames: ["outcome"],
    buckets: ATTEMPT_SECONDS,
    registers,
  });
  const gauge = (...[name, help, value]: Figure): void => {
    const made: Gauge = new prom.Gauge({ name, help, registers, collect: () => made.set(value()) });
  };
  const counter = (...[name, help, value]: Figure): void => {
    const collect = (): void => {
      made.reset();
      made.inc(value());
    };
    const made: Counter = new prom.Counter({ name, help, registers, collect });
  };
  gauge("sandbox_worlds", "Number of worlds", () => looked.worlds().all);
  gauge("sandbox_worlds_open", "Worlds whose files are open", () => looked.worlds().open);
  gauge("sandbox_deliveries_waiting", "Deliveries that wait to be sent, in the worlds that are open", looked.waiting);
  gauge("sandbox_live_readers", "Connections to the live feed", looked.readers);
  for (const figure of figures) (figure[0].endsWith("_total") ? counter : gauge)(...figure);
  return {
    /** A call was answered. @param route its address as it is declared @param seconds how long that took */
    called: (route: string, status: number, seconds: number): void => {
      calls.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    /** An attempt to deliver a notification has ended. */
    attempted: ({ acknowledged, exchanged: { response_status, duration_ms } }: Sent): void => {
      const outcome = acknowledged ? "acknowledged" : response_status === null ? "unanswered" : "refused";
      attempts.observe({ outcome }, duration_ms / 1_000);
    },
    /** All figures of now, as OpenMetrics text. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
};

export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

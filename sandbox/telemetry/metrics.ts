import type { Counter, Gauge } from "prom-client";
import type { SentAttempt } from "../webhooks/send.ts";

const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A figure computed on demand. Its name ends in `_total` if it only grows. */
export type Figure = readonly [name: string, help: string, value: () => number];

interface MetricSources {
  /** Number of all and of open worlds. */
  worlds(): { readonly all: number; readonly open: number };
  /** Deliveries that wait in open worlds. */
  waiting(): number;
  /** Connections to the live feed. */
  readers(): number;
}

/**
 * Counts events of the service in a separate registry, together with Node's process metrics.
 *
 * @param figures additional figures
 */
export const createMetrics = async (sources: MetricSources, figures: readonly Figure[]) => {
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
    const metric: Gauge = new prom.Gauge({ name, help, registers, collect: () => metric.set(value()) });
  };
  const counter = (...[name, help, value]: Figure): void => {
    const collect = (): void => {
      metric.reset();
      metric.inc(value());
    };
    const metric: Counter = new prom.Counter({ name, help, registers, collect });
  };
  gauge("sandbox_worlds", "Number of worlds", () => sources.worlds().all);
  gauge("sandbox_worlds_open", "Worlds whose files are open", () => sources.worlds().open);
  gauge("sandbox_deliveries_waiting", "Deliveries that wait to be sent, in the worlds that are open", sources.waiting);
  gauge("sandbox_live_readers", "Connections to the live feed", sources.readers);
  for (const figure of figures) (figure[0].endsWith("_total") ? counter : gauge)(...figure);
  return {
    /** Counts a response. @param route the declared address */
    called: (route: string, status: number, seconds: number): void => {
      calls.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    attempted: ({ acknowledged, exchanged: { response_status, duration_ms } }: SentAttempt): void => {
      const outcome = acknowledged ? "acknowledged" : response_status === null ? "unanswered" : "refused";
      attempts.observe({ outcome }, duration_ms / 1_000);
    },
    /** Current figures as OpenMetrics text. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
  };
};

export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

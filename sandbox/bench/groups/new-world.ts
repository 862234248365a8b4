import { businessesList } from "../../contract/operations/partner.ts";
import type { Bench } from "../bench.ts";
import { NUMBER } from "../load/request-text.ts";
import { measureInterleaved } from "../plan.ts";
import { type Service, startService } from "../processes/service.ts";
import type { Row } from "../row.ts";
import { median } from "../statistics.ts";
import { loadRequest } from "../workload.ts";

const CALLS = 40;
const LONGEST_MS = 60_000;

/** Calls to a world, or to one new world after the other when its name is numbered. */
const medianOfCalls = async (bench: Bench, service: Service, world: string): Promise<number> => {
  const load = await bench.load({
    port: service.port,
    connections: 1,
    request: loadRequest(service, businessesList, {}, { headers: { "x-sandbox-tenant": world } }),
    numbers: { from: bench.newNumbers() },
    status: 200,
    warmupMs: 0,
    measureMs: LONGEST_MS,
    requests: CALLS,
  });
  return load.medianMs;
};

/** What the first call to a world takes more than the same call to one that is open. */
export const measureNewWorld = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "new-world");
  const { fresh, open } = await measureInterleaved(
    {
      fresh: () => medianOfCalls(bench, service, `fresh-${NUMBER}`),
      open: () => medianOfCalls(bench, service, "open"),
    },
    bench.pace.repetitions * 2,
  );
  await service.stop();
  return [
    {
      group: "new-world",
      what: "a new world: its first call, less the same call to an open one",
      measured: { value: median(fresh), unit: "ms" },
      beside: { name: "open", figure: { value: median(open), unit: "ms" } },
      judged: { value: median(fresh) - median(open), unit: "ms" },
      range: null,
      target: { most: 1.5 },
      notes: [`${(fresh.length + 1) * CALLS} new worlds`],
      samples: { fresh, open },
    },
  ];
};

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Pool } from "undici";
import { type Operation, operationPath, type RequestOf, type ResponseOf } from "../contract/operation.ts";
import { businessesList, jobsInsert, workProvidersList } from "../contract/operations/partner.ts";
import { type Bench, ended, type Service } from "./processes.ts";

/** Placeholder that autocannon replaces in each request: 33 characters. */
export const UNIQUE = "[<id>]";
const UNIQUE_LENGTH = 33;

type Headers = Readonly<Record<string, string>>;

/** The headers of a call: the buyer's credentials, or the control token. */
export const benchHeaders = ({ ready }: Service, operation: Operation, world?: string): Headers => {
  const common = { "content-type": "application/json", ...(world ? { "x-sandbox-tenant": world } : {}) };
  if (operation.surface === "control") return { ...common, authorization: `Bearer ${ready.control_token}` };
  if (!ready.credentials) throw new Error("The service has not said its credentials.");
  const { api_key, integration_id } = ready.credentials.repairer;
  return { ...common, authorization: `Bearer ${api_key}`, "service-integration-id": integration_id };
};

/** One call, which must succeed. */
export const call = async <O extends Operation>(
  service: Service,
  operation: O,
  body: RequestOf<O>,
  world?: string,
): Promise<ResponseOf<O>> => {
  const headers = benchHeaders(service, operation, world);
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(service.base + operationPath(operation), options);
  if (!response.ok) throw new Error(`${operation.id} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ResponseOf<O>;
};

/** Subscribes an address for the buyer's integration. */
export const subscribe = async (service: Service, url: string, world?: string): Promise<void> => {
  const response = await fetch(`${service.base}/__webhooks/subscribe`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(world ? { "x-sandbox-tenant": world } : {}) },
    body: JSON.stringify({ integration_id: service.ready.credentials?.repairer.integration_id, url }),
  });
  if (!response.ok) throw new Error(`The subscription was answered ${response.status}: ${await response.text()}`);
};

export interface LoadRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

export const sent = <O extends Operation>(
  service: Service,
  operation: O,
  body: RequestOf<O>,
  world?: string,
): LoadRequest => ({
  path: operationPath(operation),
  headers: benchHeaders(service, operation, world),
  body: JSON.stringify(body),
});

interface Load {
  readonly base: string;
  /** Sent in turn, on every connection. */
  readonly requests: readonly LoadRequest[];
  /** Each has one pending request at a time. */
  readonly connections: number;
  /** Duration, or total number of requests. */
  readonly seconds?: number;
  readonly amount?: number;
}

export interface LoadResult {
  readonly responses: number;
  readonly perSecond: number;
  /** Mean time of a call, over one connection. */
  readonly meanMs: number;
  /** Longest time of a call, rounded down. */
  readonly longestMs: number;
}

const AUTOCANNON = createRequire(import.meta.url).resolve("autocannon/autocannon.js");
const SAMPLE_MS = 10;

/** Runs autocannon in its own process. @throws for an unsuccessful response */
export const load = async (
  bench: Bench,
  { base, requests, connections, seconds = 1, amount }: Load,
): Promise<LoadResult> => {
  const entries = requests.map(({ path: to, headers, body }) => ({
    request: {
      method: "POST",
      url: base + to,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      postData: { text: body },
    },
  }));
  const file = path.join(bench.folder, "load.json");
  fs.mkdirSync(bench.folder, { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ log: { entries } }));
  const length = amount === undefined ? ["-d", String(seconds)] : ["-a", String(amount)];
  const isNumbered = requests.some((request) => JSON.stringify(request).includes(UNIQUE));
  const options = ["--json", "-c", String(connections), ...length, "-L", String(SAMPLE_MS), "--har", file];
  const args = [AUTOCANNON, ...options, ...(isNumbered ? ["-I"] : []), base];
  const child = bench.processes.spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await Promise.all([text(child.stdout as Readable), ended(child)]);
  const result = JSON.parse(output);
  const [responses, failed] = [Number(result["2xx"]), result.non2xx + result.errors];
  if (failed > 0 || responses === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${requests[0]?.path}: ${failed} of ${responses + failed} requests failed: ${statuses}, ${result.errors} without an answer.`,
    );
  }
  const perSecond = responses / result.duration;
  return { responses, perSecond, meanMs: (1_000 * connections) / perSecond, longestMs: result.latency.max };
};

/** Requests for H with the same length but no placeholders, so that generating them doesn't limit H. */
export const withoutPlaceholders = (requests: readonly LoadRequest[]): LoadRequest[] =>
  requests.map((request) => ({ ...request, body: request.body.replaceAll(UNIQUE, "0".repeat(UNIQUE_LENGTH)) }));

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Coprime to the number of plates and job numbers, so each number gets its own. */
const STRIDE = 3 ** 18;

/** A unique plate that looks random: `KV42 QHT`. */
export const numberPlate = (number: number): string => {
  let rest = (number * STRIDE) % (LETTERS.length ** 5 * 100);
  const draw = (choices: number): number => {
    const drawn = rest % choices;
    rest = Math.floor(rest / choices);
    return drawn;
  };
  const letters = (count: number): string => Array.from({ length: count }, () => LETTERS[draw(26)]).join("");
  return `${letters(2)}${String(draw(100)).padStart(2, "0")} ${letters(3)}`;
};

type JobBody = RequestOf<typeof jobsInsert>;

/** A new job as a partner would send it, derived from a number or a placeholder, with pictures and an insurer. */
export type MakeJob = (number: number | typeof UNIQUE) => JobBody;

/** Looks up the IDs that new jobs need. */
export const jobMaker = async (service: Service): Promise<MakeJob> => {
  const site = (await call(service, businessesList, {})).items.find(({ type }) => type === "repairer_site");
  const provider = (await call(service, workProvidersList, {})).items[0];
  if (!site || !provider) throw new Error("The seeded world has no site or no insurer.");
  return (number) => ({
    identity: { external: `repair-${number}` },
    repairer_site_id: site.id,
    claim_number: `CLM/${number}`,
    job_number: number === UNIQUE ? number : `RO-${String((number * STRIDE) % 10 ** 7).padStart(7, "0")}`,
    vehicle: {
      chassis_number: `WDD${number === UNIQUE ? "0" : String(number).padStart(10, "0")}1234`,
      plate_number: number === UNIQUE ? "KV42 QHT" : numberPlate(number),
      plate_state: null,
    },
    images: ["https://media.example.com/front.jpg", "https://media.example.com/rear.jpg"],
    work_provider_id: provider.organization_id,
  });
};

const AT_ONCE = 64;

/** Inserts jobs with the numbers below a bound, as fast as the service accepts them. */
export const insertJobs = async (service: Service, count: number, world?: string): Promise<void> => {
  const job = await jobMaker(service);
  const pool = new Pool(service.base, { connections: AT_ONCE });
  const request = {
    method: "POST",
    path: operationPath(jobsInsert),
    headers: benchHeaders(service, jobsInsert, world),
  } as const;
  let next = 0;
  const inserting = async (): Promise<void> => {
    while (next < count) {
      const response = await pool.request({ ...request, body: JSON.stringify(job(next++)) });
      const problem = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`An insert answered ${response.statusCode}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, inserting));
  await pool.close();
};

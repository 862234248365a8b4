import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { operationPath } from "../../contract/operation.ts";
import { jobsInsert } from "../../contract/operations/partner.ts";
import { jobMaker, type LoadRequest, load, sent, UNIQUE } from "../load.ts";
import { type Bench, ended, freePort, startService, timeServiceStart, timeStart } from "../processes.ts";
import { CHECKOUT } from "../run-folders.ts";
import { interleave, type Row, ratioRow, type Target, unmeasuredRow } from "../statistics.ts";
import { loadPace } from "./calls.ts";

/** Compared tools at fixed versions. */
const versions = {
  "@mockoon/cli": "9.9.0",
  "@stoplight/prism-cli": "5.16.0",
  "json-server": "0.17.4",
  wiremock: "3.13.2",
} as const;
const FOLDER = path.join(CHECKOUT, "node_modules/.cache/integrations-explorer/peers");
const INSTALL = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--fetch-retries=1"];

/** Installs the compared tools in a cache for later runs. @throws when npm fails */
const install = async (): Promise<void> => {
  const installed = path.join(FOLDER, "installed");
  const wanted = JSON.stringify({ private: true, dependencies: versions });
  if (fs.existsSync(installed) && fs.readFileSync(installed, "utf8") === wanted) return;
  fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(path.join(FOLDER, "package.json"), wanted);
  // On Windows, npm is a script that needs a shell.
  await promisify(execFile)("npm", INSTALL, { cwd: FOLDER, shell: process.platform === "win32" });
  fs.writeFileSync(installed, wanted);
};

/** A server that accepts the POST of a job. */
interface Peer {
  readonly name: string;
  readonly program: string;
  /** Its configuration file, and the arguments that name it. */
  readonly content: (port: number) => string;
  readonly args: (file: string, port: string) => string[];
  /** Path of the POST. A GET returns 200 when the server is ready; with `any`, any status counts. */
  readonly path: string;
  readonly any?: boolean;
  readonly target: Target;
}

const mockoon: Peer = {
  name: "Mockoon storing",
  program: "@mockoon/cli/bin/run.js",
  // A data bucket that stores created records.
  content: (port) => {
    const [route, headers] = [randomUUID(), [{ key: "content-type", value: "application/json" }]];
    const stubResponse = { uuid: randomUUID(), statusCode: 200, default: true, headers, bodyType: "DATABUCKET" };
    const responses = [{ ...stubResponse, databucketID: "jobs", crudKey: "id" }];
    return JSON.stringify({
      ...{ uuid: randomUUID(), name: "bench", hostname: "127.0.0.1", port },
      rootChildren: [{ type: "route", uuid: route }],
      routes: [{ uuid: route, type: "crud", method: "", endpoint: "jobs", responses }],
      data: [{ uuid: randomUUID(), id: "jobs", name: "jobs", value: "[]" }],
    });
  },
  args: (file) => ["start", "-r", "-X", "-d", file],
  path: "/jobs",
  target: { least: 8 },
};

const jsonServer: Peer = {
  name: "json-server storing",
  program: "json-server/lib/cli/bin.js",
  content: () => JSON.stringify({ jobs: [] }),
  args: (file, port) => ["-q", "-H", "127.0.0.1", "-p", port, file],
  path: "/jobs",
  target: { least: 8 },
};

/** Prism serves the service's own document. */
const prism = (document: string): Peer => ({
  name: "Prism from a document",
  program: "@stoplight/prism-cli/dist/index.js",
  content: () => document,
  args: (file, port) => ["mock", "-v", "error", "-h", "127.0.0.1", "-p", port, file],
  path: operationPath(jobsInsert),
  any: true,
  target: { least: 3 },
});

/** WireMock keeps the last requests in memory. It needs Java. */
const wireMock: Peer = {
  name: "WireMock from a template",
  program: "wiremock/index.js",
  content: () => {
    const body = `{"id": "{{randomValue type='UUID'}}", "claim_number": "{{jsonPath request.body '$.claim_number'}}"}`;
    const headers = { "content-type": "application/json" };
    const created = { status: 200, headers, body, transformers: ["response-template"] };
    const mappings = [
      { request: { method: "POST", url: "/jobs" }, response: created },
      { request: { method: "GET", url: "/jobs" }, response: { status: 200 } },
    ];
    return JSON.stringify({ mappings });
  },
  args: (file, port) => {
    const root = path.join(path.dirname(file), "..");
    return ["--port", port, "--bind-address", "127.0.0.1", "--root-dir", root, "--disable-banner"];
  },
  path: "/jobs",
  target: null,
};

const startPeer = async (bench: Bench, { program, content, args, path: jobs, any }: Peer) => {
  const port = await freePort();
  // WireMock requires this folder name.
  const file = path.join(bench.folder, `peer-${port}`, "mappings", "jobs.json");
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content(port));
  const base = `http://127.0.0.1:${port}`;
  const all = [path.join(FOLDER, "node_modules", program), ...args(file, String(port))];
  return { base, ...(await timeStart(bench, { args: all, address: base + jobs, any })) };
};

const OURS = "`repairer.jobs.insert`, durable, 64 connections";

/** Sends the same POST to all in turn, each in its best configuration. */
const measureLoads = async (bench: Bench): Promise<Row[]> => {
  const service = await startService(bench, "loads");
  const document = await (await fetch(`${service.base}/openapi.json`)).text();
  const insert = sent(service, jobsInsert, (await jobMaker(service))(UNIQUE));
  const rateOf = (base: string, at: string) => async (): Promise<number> => {
    const request = { ...insert, path: at };
    await checkAnswer(base, request);
    const { seconds } = loadPace(bench);
    return (await load(bench, { base, requests: [request], connections: 64, seconds })).perSecond;
  };
  const peers = [mockoon, jsonServer, prism(document), wireMock];
  const variants: Record<string, () => Promise<number>> = { ours: rateOf(service.base, insert.path) };
  const missing = new Map<string, string>();
  for (const peer of peers) {
    try {
      variants[peer.name] = rateOf((await startPeer(bench, peer)).base, peer.path);
    } catch (error) {
      missing.set(peer.name, String(error));
    }
  }
  const measured = await interleave(bench.quick ? 1 : 3, variants);
  return peers.map(({ name, target }) => {
    const what = `${OURS}, against ${name}`;
    const why = missing.get(name);
    if (why !== undefined) return unmeasuredRow(what, why);
    const reference = { name, values: measured[name] ?? [] };
    return ratioRow({ what, unit: "/s", values: measured.ours ?? [], reference, target });
  });
};

/** Excludes a peer that is fast only because it returns something else than a job. */
const checkAnswer = async (base: string, { path: to, headers, body }: LoadRequest): Promise<void> => {
  const response = await fetch(base + to, { method: "POST", headers, body: body.replaceAll(UNIQUE, randomUUID()) });
  const text = await response.text();
  if (!response.ok || !("id" in JSON.parse(text))) {
    throw new Error(`${base}${to} answered ${response.status}: ${text.slice(0, 300)}`);
  }
};

const measureStarts = async (bench: Bench): Promise<Row> => {
  let folders = 0;
  const { ours, theirs } = await interleave(loadPace(bench).repetitions, {
    ours: async () => (await timeServiceStart(bench, `start-${folders++}`)).milliseconds,
    theirs: async () => {
      const { milliseconds, child } = await startPeer(bench, mockoon);
      child.kill("SIGKILL");
      await ended(child);
      return milliseconds;
    },
  });
  const reference = { name: "Mockoon CLI", values: theirs };
  const what = "cold start headless, against Mockoon CLI";
  return ratioRow({ what, unit: "ms", values: ours, reference, target: { most: 0.4 } });
};

/** Compares with other tools that mock an API. */
export const measurePeers = async (bench: Bench): Promise<Row[]> => {
  try {
    bench.say("  installing them with npm, unless they are there …");
    await install();
  } catch (error) {
    return [unmeasuredRow("against peers", `npm could not install them: ${String(error).split("\n")[0]}`)];
  }
  return [await measureStarts(bench), ...(await measureLoads(bench))];
};

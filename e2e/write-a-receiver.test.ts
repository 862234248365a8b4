import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveriesList, subscriptionsList } from "../sandbox/contract/control/operations.ts";
import { drillsRunAll } from "../sandbox/contract/control/receiver-operations.ts";
import { drillNames } from "../sandbox/contract/drill-names.ts";
import { drills } from "../sandbox/contract/drills.ts";
import { businessesList, jobsInsert } from "../sandbox/contract/operations/partner.ts";
import { repairer, startTestService, type TestService } from "../sandbox/testing/harness.ts";

const DOCS = path.join(import.meta.dirname, "../docs");
/** As in the help: the receiver and its verification module. */
const folder = mkdtempSync(path.join(os.tmpdir(), "receiver-"));
let service: TestService;
let jobs = 0;
beforeAll(async () => {
  copyFileSync(path.join(DOCS, "write-a-receiver/receiver.mjs"), path.join(folder, "receiver.mjs"));
  copyFileSync(path.join(DOCS, "verify-a-webhook/verify-webhook.mjs"), path.join(folder, "verify-webhook.mjs"));
  service = await startTestService();
});
afterAll(async () => {
  await service.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits for a value. @throws on timeout */
const waitFor = async <T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited 15 s for ${what}`);
};

const insertJob = async () => {
  jobs += 1;
  const { items } = await service.ok(businessesList, {}, repairer);
  const site = items.find((one) => one.type === "repairer_site")?.id ?? "";
  const job_number = `EX-${jobs}`;
  return service.ok(jobsInsert, { identity: { external: job_number }, repairer_site_id: site, job_number }, repairer);
};

/** Runs every drill on an address after it has acknowledged a notification. */
const runScorecard = async (url: string) => {
  const { items } = await service.control(subscriptionsList, {});
  const subscription_id = items.find((one) => one.url === url)?.id ?? "";
  await insertJob();
  await waitFor("a notification to be acknowledged", async () => {
    const deliveries = await service.control(deliveriesList, { status: "delivered" });
    return deliveries.items.find((one) => one.subscription_id === subscription_id);
  });
  return service.control(drillsRunAll, { subscription_id });
};

class ReceiverProgram {
  readonly child: ChildProcess;
  #said = "";

  constructor() {
    this.child = spawn(process.execPath, [path.join(folder, "receiver.mjs")], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        PORT: "0",
        SANDBOX_BASE_URL: service.baseUrl,
        SANDBOX_REPAIRER_API_KEY: repairer.api_key,
        SANDBOX_REPAIRER_INTEGRATION_ID: repairer.integration_id,
      },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#said += text;
      });
  }

  says(pattern: RegExp): Promise<string> {
    return waitFor(`${pattern} in what the receiver says`, () => pattern.exec(this.#said)?.[1]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGTERM");
    await ended;
  }
}

test("the help's receiver subscribes itself, reads changes, and passes every drill", async () => {
  const receiver = new ReceiverProgram();
  try {
    const url = await receiver.says(/subscribed (\S+)/);
    const scorecard = await runScorecard(url);
    expect(scorecard.items.map(({ drill, latest }) => `${drill} ${latest?.verdict}`)).toEqual(
      scorecard.items.map(({ drill }) => `${drill} passed`),
    );
    for (const { drill, latest } of scorecard.items)
      expect(latest?.sentence).toContain(String(drills[drill].expects.status));
    expect(scorecard).toMatchObject({ run: drillNames.length, passed: drillNames.length });
    expect(await receiver.says(/repairer\.jobs\.get \S+: (\S+)/)).toBe(`EX-${jobs}`);
  } finally {
    await receiver.stop();
  }
}, 40_000);

test("a receiver that doesn't verify fails drills", async () => {
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { event_type } = JSON.parse(body) as { event_type?: string };
    response.writeHead(event_type === undefined ? 400 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  try {
    await service.post("/__webhooks/subscribe", { integration_id: repairer.integration_id, url });
    const scorecard = await runScorecard(url);
    const accepted = drillNames.filter((drill) => drills[drill].expects.answer === "acknowledge");
    expect(scorecard).toMatchObject({ run: drillNames.length, passed: accepted.length });
    for (const { drill, latest } of scorecard.items)
      expect(latest?.verdict).toBe(drills[drill].expects.answer === "acknowledge" ? "passed" : "failed");
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}, 40_000);

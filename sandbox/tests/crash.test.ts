import fs from "node:fs";
import path from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { pathOf } from "../contract/operation.ts";
import { businessesList, jobsGet, jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, temporaryFolder } from "../testing/harness.ts";
import { CommandProcess } from "../testing/process.ts";
import { RecordingConsumer } from "../testing/recording-consumer.ts";

const ROUNDS = 3;
const WRITERS = 4;

const post = async (baseUrl: string, address: string, body: unknown): Promise<{ status: number; body: unknown }> => {
  const headers = { ...credentialHeaders(repairer), "content-type": "application/json" };
  const response = await fetch(baseUrl + address, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};

test("kill -9 in the middle of writes loses nothing that was acknowledged, and no event of it", async () => {
  const data = temporaryFolder();
  const consumer = await RecordingConsumer.start();
  const acknowledged = new Map<string, string>();
  let count = 0;

  const write = async (baseUrl: string, site: string): Promise<void> => {
    for (;;) {
      count += 1;
      const external = `crash:${count}`;
      const answer = await post(baseUrl, pathOf(jobsInsert), {
        identity: { external },
        repairer_site_id: site,
        claim_number: external,
      }).catch(() => null);
      // The connection broke: whether this one was written is not known, and it does not count.
      if (answer === null) return;
      expect(answer.status).toBe(200);
      acknowledged.set(external, (answer.body as { id: string }).id);
    }
  };

  let last: CommandProcess | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const command = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
    last = command;
    const { base_url } = await command.ready();
    const businesses = (await post(base_url, pathOf(businessesList), {})).body as {
      items: { id: string; type: string }[];
    };
    const site = businesses.items.find((one) => one.type === "repairer_site")?.id ?? "";
    await post(base_url, "/__webhooks/subscribe", { integration_id: repairer.integration_id, url: consumer.url });
    const writers = Array.from({ length: WRITERS }, () => write(base_url, site));
    await new Promise((resolve) => setTimeout(resolve, 250 + round * 120));
    await command.kill("SIGKILL");
    await Promise.all(writers);
  }
  expect(last?.child.signalCode).toBe("SIGKILL");
  expect(acknowledged.size).toBeGreaterThan(50);

  const survivor = new CommandProcess(["--port", "0", "--data", data, "--log", "silent"]);
  const { base_url } = await survivor.ready();
  for (const [external, id] of acknowledged) {
    const { status, body } = await post(base_url, pathOf(jobsGet), { identity: { external } });
    expect([status, (body as { id: string }).id, (body as { claim_number: string }).claim_number]).toEqual([
      200,
      id,
      external,
    ]);
  }
  const told = () =>
    new Set(consumer.received.map((one) => ("job_id" in one.envelope.payload ? one.envelope.payload.job_id : "")));
  await expect
    .poll(() => [...acknowledged.values()].filter((id) => !told().has(id)).length, { timeout: 20_000 })
    .toBe(0);
  await survivor.kill("SIGTERM");
  const db = new Sqlite(path.join(data, "worlds", "w-default.sqlite"), { readonly: true });
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
  await consumer.stop();
  fs.rmSync(data, { recursive: true, force: true });
  console.log(
    `${ROUNDS} kills, ${acknowledged.size} acknowledged jobs all there, ${consumer.received.length} notifications received`,
  );
}, 60_000);

import fs from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { clockAdvance, policiesSet } from "../contract/control/world-operations.ts";
import type { LiveEntry } from "../contract/live.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { FeedReader } from "../testing/feed-reader.ts";
import { repairer, temporaryFolder } from "../testing/harness.ts";
import { ownSite } from "../testing/order.ts";
import { serveCommand } from "../testing/process.ts";
import { RecordingReceiver } from "../testing/recording-receiver.ts";

const KILLS = 2;
const INSERTS = 40;

const jobsIn = (entries: readonly LiveEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === "state" && entry.data.entity === "job" ? [entry.data.id] : []));

test("a reader that resumes after repeated kill -9 gets every change once, in order, without a repeated ID", async () => {
  const data = temporaryFolder();
  onTestFinished(() => fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 }));
  const receiver = await RecordingReceiver.start();
  onTestFinished(() => receiver.stop());
  const acknowledged: string[] = [];
  const seen: LiveEntry[] = [];
  let last: number | null = null;
  let count = 0;

  for (let kills = 0; kills <= KILLS; kills += 1) {
    const { process, service } = await serveCommand(data);
    onTestFinished(async () => void (await process.kill("SIGKILL")));
    const reader: FeedReader = await FeedReader.connect(service, last);
    await reader.until(({ events }) => events.includes("ready"));
    const site = await ownSite(service);
    if (kills === 0) {
      const { integration_id } = repairer;
      expect((await service.post("/__webhooks/subscribe", { integration_id, url: receiver.url })).status).toBe(200);
      await service.control(policiesSet, { policies: { webhook_retries: "fast" } });
      await service.control(clockAdvance, { seconds: 60 });
    }
    const writers = Array.from({ length: 4 }, async () => {
      while (count < (kills + 1) * INSERTS) {
        count += 1;
        const job = { identity: { external: `crash:${count}` }, repairer_site_id: site };
        const { status, body } = await service.call(jobsInsert, job, repairer);
        if (status === 200) acknowledged.push(body.id);
        // Kills during the inserts, while the reader lags behind.
        if (count === (kills + 1) * INSERTS - 10 && kills < KILLS) void process.kill("SIGKILL");
      }
    });
    const outcomes = await Promise.allSettled(writers);
    if (kills < KILLS) {
      await process.ended;
      await reader.ended;
    } else {
      expect(outcomes.every(({ status }) => status === "fulfilled")).toBe(true);
      await reader.until(({ entries }) => acknowledged.every((id) => jobsIn([...seen, ...entries]).includes(id)));
      reader.close();
      await process.kill("SIGTERM");
    }
    expect(reader.events).not.toContain("reset");
    seen.push(...reader.entries);
    last = reader.ids.at(-1) ?? last;
    count = (kills + 1) * INSERTS;
  }

  const ids = seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  const jobs = jobsIn(seen);
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(acknowledged.filter((id) => !jobs.includes(id))).toEqual([]);

  // The entries read across kills equal those of a new reader that starts at the first one.
  const { service } = await serveCommand(data);
  onTestFinished(() => service.stop());
  const whole = await FeedReader.connect(service, (ids[0] ?? 1) - 1);
  const from = (entries: readonly LiveEntry[]) =>
    entries.filter(({ id }) => id <= (ids.at(-1) ?? 0)).map(({ id, kind, trace_id }) => `${id} ${kind} ${trace_id}`);
  await whole.until(({ entries }) => from(entries).length >= from(seen).length);
  expect(whole.events).not.toContain("reset");
  expect(from(seen)).toEqual(from(whole.entries));
  whole.close();
}, 120_000);

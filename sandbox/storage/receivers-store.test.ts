import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { correctBehaviour } from "../contract/control/presets.ts";
import type { Receipt } from "../contract/control/receiver-operations.ts";
import { Database } from "./database.ts";
import { MAX_RECEIPTS, ReceiversStore } from "./receivers-store.ts";
import { SubscriptionsStore } from "./subscriptions-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const END = Number.MAX_SAFE_INTEGER;
const NOW = 1_768_000_000_000;
const URL = "http://127.0.0.1:4026/__receiver/r";

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = NOW - 1_000;
  const receivers = new ReceiversStore(db);
  const add = (id: string) => {
    receivers.insert({ id, integration_id: "a", url: URL, behaviour: correctBehaviour }, NOW);
    return receivers.get(id)?.seq ?? 0;
  };
  return { receivers, subscriptions: new SubscriptionsStore(db), add };
};

const receipt = (id: string, changes: Partial<Receipt> = {}): Receipt => ({
  id,
  at: new Date(NOW + 5).toISOString(),
  outcome: "accepted",
  status: 200,
  reason: null,
  repeat: false,
  message_id: `message of ${id}`,
  event_type: "repairer.jobs",
  integration_id: "a",
  headers: [["content-type", "application/json"]],
  body_bytes: 2,
  body_base64: "e30=",
  verification: [{ step: "header_present", verdict: "passed", detail: "present" }],
  ...changes,
});

describe("the built-in receivers", () => {
  it("are stored as created, with their subscription while it lasts", () => {
    const { receivers, subscriptions, add } = open();
    const seq = add("r");
    const row = {
      seq,
      id: "r",
      integration_id: "a",
      url: URL,
      created_at: new Date(NOW).toISOString(),
      behaviour: correctBehaviour,
      counted: 0,
      subscription_id: null,
      received: 0,
    };
    expect(receivers.list()).toEqual([row]);
    subscriptions.insert({ id: "s", integration_id: "a", url: URL, created_at: NOW });
    expect(receivers.get("r")).toEqual({ ...row, subscription_id: "s" });
    subscriptions.end("s");
    expect(receivers.get("r")).toEqual(row);
    expect(receivers.get("other")).toBeUndefined();
  });

  it("count arrivals since their behaviour was set", () => {
    const { receivers, add } = open();
    const seq = add("r");
    receivers.receive(seq, receipt("1"));
    receivers.receive(seq, receipt("2"));
    expect(receivers.get("r")).toMatchObject({ counted: 2, received: 2 });
    const behaviour = { answer: "status", status: 500, first: 3, verify: false, deduplicate: false } as const;
    receivers.set(seq, behaviour);
    expect(receivers.get("r")).toMatchObject({ behaviour, counted: 0, received: 2 });
  });

  it("are deleted with their arrivals", () => {
    const { receivers, add } = open();
    const seq = add("r");
    receivers.receive(seq, receipt("1"));
    receivers.delete(seq);
    expect([receivers.list(), receivers.receipts(seq, END, 10)]).toEqual([[], []]);
  });

  it("return their arrivals byte for byte, newest first and by page", () => {
    const { receivers, add } = open();
    const seq = add("r");
    const held = receipt("2", { outcome: "held", status: null, body_base64: "AP8K", message_id: null });
    receivers.receive(seq, receipt("1"));
    receivers.receive(seq, held);
    receivers.receive(seq, receipt("3", { outcome: "refused", status: 401, reason: "bad_signature" }));
    const [third, second] = receivers.receipts(seq, END, 2);
    expect(third).toMatchObject({ id: "3", reason: "bad_signature", repeat: false });
    expect(second).toMatchObject(held);
    expect(receivers.receipts(seq, second?.seq ?? 0, 2).map(({ id }) => id)).toEqual(["1"]);
  });

  it("recognise a message that they acknowledged, not one they refused, failed or held", () => {
    const { receivers, add } = open();
    const [seq, other] = [add("r"), add("other")];
    for (const outcome of ["refused", "failed", "held"] as const)
      receivers.receive(seq, receipt(outcome, { outcome, message_id: "m" }));
    expect(receivers.hasAcknowledged(seq, "m")).toBe(false);
    receivers.receive(seq, receipt("accepted", { message_id: "m" }));
    expect([receivers.hasAcknowledged(seq, "m"), receivers.hasAcknowledged(other, "m")]).toEqual([true, false]);
  });

  it("keep a limited number of arrivals each", () => {
    const { receivers, add } = open();
    const [seq, other] = [add("r"), add("other")];
    receivers.receive(other, receipt("neighbour"));
    for (let index = 1; index <= MAX_RECEIPTS + 20; index += 1) receivers.receive(seq, receipt(`${index}`));
    const kept = receivers.receipts(seq, END, 10_000);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([MAX_RECEIPTS, `${MAX_RECEIPTS + 20}`, "21"]);
    expect(receivers.get("r")).toMatchObject({ counted: MAX_RECEIPTS + 20, received: MAX_RECEIPTS });
    expect(receivers.receipts(other, END, 10)).toHaveLength(1);
  });
});

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { correctBehaviour } from "../contract/control/correct-behaviour.ts";
import { Database } from "./database.ts";
import { KEPT_RECEIPTS, type ReceiptRecord, ReceiversStore } from "./receivers-store.ts";
import { SubscriptionsStore } from "./subscriptions-store.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-test-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const NOW = 1_768_000_000_000;
const URL = "http://127.0.0.1:4026/__receiver/r";

const open = () => {
  const db = new Database(path.join(fs.mkdtempSync(path.join(folder, "file-")), "world.sqlite"), { durability: "off" });
  onTestFinished(() => db.close());
  db.epoch = NOW - 1_000;
  const receivers = new ReceiversStore(db);
  const add = (id: string) => {
    receivers.insert({ id, integration_id: "a", url: URL, created_at: NOW, behaviour: correctBehaviour });
    return receivers.get(id)?.seq ?? 0;
  };
  return { receivers, subscriptions: new SubscriptionsStore(db), add };
};

const receipt = (id: string, changes: Partial<ReceiptRecord> = {}): ReceiptRecord => ({
  id,
  at: NOW + 5,
  outcome: "accepted",
  status: 200,
  reason: null,
  repeat: false,
  message_id: `message of ${id}`,
  event_type: "repairer.jobs",
  integration_id: "a",
  headers: [["content-type", "application/json"]],
  body_bytes: 2,
  body: Buffer.from("{}"),
  verification: [{ step: "header_present", verdict: "passed", detail: "present" }],
  ...changes,
});

describe("the built-in receivers", () => {
  it("are kept as they were made, with the subscription that leads to them while it goes on", () => {
    const { receivers, subscriptions, add } = open();
    const seq = add("r");
    const row = {
      seq,
      id: "r",
      integration_id: "a",
      url: URL,
      created_at: NOW,
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

  it("count arrivals from when their behaviour was set", () => {
    const { receivers, add } = open();
    const seq = add("r");
    receivers.receive(seq, receipt("1"));
    receivers.receive(seq, receipt("2"));
    expect(receivers.get("r")).toMatchObject({ counted: 2, received: 2 });
    const behaviour = { answer: "status", status: 500, first: 3, verify: false, deduplicate: false } as const;
    receivers.set(seq, behaviour);
    expect(receivers.get("r")).toMatchObject({ behaviour, counted: 0, received: 2 });
  });

  it("forget what they were sent when they are reset, and keep what they do", () => {
    const { receivers, add } = open();
    const [seq, other] = [add("r"), add("other")];
    receivers.set(seq, { ...correctBehaviour, verify: false });
    for (const one of [seq, other]) receivers.receive(one, receipt(`${one}`));
    receivers.reset(seq);
    expect(receivers.get("r")).toMatchObject({ counted: 0, received: 0, behaviour: { verify: false } });
    expect(receivers.knows(seq, `message of ${seq}`)).toBe(false);
    expect(receivers.get("other")).toMatchObject({ counted: 1, received: 1 });
  });

  it("end with what they were sent", () => {
    const { receivers, add } = open();
    const seq = add("r");
    receivers.receive(seq, receipt("1"));
    receivers.delete(seq);
    expect([receivers.list(), receivers.receipts(seq, null, 10)]).toEqual([[], []]);
  });

  it("give back what they were sent byte for byte, newest first and page by page", () => {
    const { receivers, add } = open();
    const seq = add("r");
    const held = receipt("2", { outcome: "held", status: null, body: Buffer.from([0, 255, 10]), message_id: null });
    receivers.receive(seq, receipt("1"));
    receivers.receive(seq, held);
    receivers.receive(seq, receipt("3", { outcome: "refused", status: 401, reason: "bad_signature" }));
    const [third, second] = receivers.receipts(seq, null, 2);
    expect(third).toMatchObject({ id: "3", reason: "bad_signature", repeat: false });
    expect(second).toMatchObject(held);
    expect(receivers.receipts(seq, second?.seq ?? 0, 2).map(({ id }) => id)).toEqual(["1"]);
  });

  it("know a message by what they acknowledged, and by nothing they refused, failed or held", () => {
    const { receivers, add } = open();
    const [seq, other] = [add("r"), add("other")];
    for (const outcome of ["refused", "failed", "held"] as const)
      receivers.receive(seq, receipt(outcome, { outcome, message_id: "m" }));
    expect(receivers.knows(seq, "m")).toBe(false);
    receivers.receive(seq, receipt("accepted", { message_id: "m" }));
    expect([receivers.knows(seq, "m"), receivers.knows(other, "m")]).toEqual([true, false]);
  });

  it("keep a bounded number, the newest, each for itself", () => {
    const { receivers, add } = open();
    const [seq, other] = [add("r"), add("other")];
    receivers.receive(other, receipt("neighbour"));
    for (let index = 1; index <= KEPT_RECEIPTS + 20; index += 1) receivers.receive(seq, receipt(`${index}`));
    const kept = receivers.receipts(seq, null, 10_000);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([KEPT_RECEIPTS, `${KEPT_RECEIPTS + 20}`, "21"]);
    expect(receivers.get("r")).toMatchObject({ counted: KEPT_RECEIPTS + 20, received: KEPT_RECEIPTS });
    expect(receivers.receipts(other, null, 10)).toHaveLength(1);
  });
});

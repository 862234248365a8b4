import { describe, expect, it } from "vitest";
import { signBody } from "../secrets/webhook-signature.ts";
import { newId } from "../storage/new-id.ts";
import { DeliveringWorld, SECRET } from "../testing/delivering-world.ts";
import { listSecrets, Sink } from "./sink.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const ONE = "0d5f3a2c-7e41-4b9a-9c35-1f2e3d4c5b6a";
const OTHER = "5b1c2d3e-4f50-4617-8829-3a4b5c6d7e8f";
const secrets: Readonly<Record<string, string>> = { [ONE]: "pwh_one", [OTHER]: "pwh_other" };

const notification = (changes: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      message_id: "m-1",
      webhook_timestamp: new Date(NOW).toISOString(),
      integration_id: ONE,
      payload: { note: "ü" },
      ...changes,
    }),
  );

const setUp = () => {
  const asked: string[] = [];
  const sink = new Sink(
    async (id) => {
      asked.push(id);
      return secrets[id] ?? null;
    },
    () => [],
  );
  const receive = (body: Buffer, header: string | null = signBody(body, "pwh_one"), now = NOW) =>
    sink.receive({ id: newId(), body, signature: header, headers: [], now }, "default");
  return { sink, asked, receive, receipts: () => sink.receipts() };
};
const accepted = (deduped: boolean) => ({ status: 200, body: { ok: true, deduped } });
const refused = (status: number, reason: string) => ({ status, body: { ok: false, reason } });

describe("the test receiver", () => {
  it("acknowledges a notification, and marks a repeat", async () => {
    const { receive } = setUp();
    expect(await receive(notification())).toEqual(accepted(false));
    expect(await receive(notification())).toEqual(accepted(true));
    expect(await receive(notification({ message_id: "m-2" }))).toEqual(accepted(false));
  });

  it("recognises a repeat by its message_id only, because each attempt has its own timestamp and signature", async () => {
    const { receive } = setUp();
    await receive(notification());
    expect(
      await receive(notification({ webhook_timestamp: new Date(NOW + MINUTE).toISOString() }), undefined, NOW + MINUTE),
    ).toEqual(accepted(true));
  });

  it("D78: refuses with 401 without a signature of this integration's secret", async () => {
    const { receive } = setUp();
    expect(await receive(notification(), null)).toEqual(refused(401, "missing_signature"));
    expect(await receive(notification(), "")).toEqual(refused(401, "missing_signature"));
    expect(await receive(notification(), signBody(notification(), "pwh_other"))).toEqual(refused(401, "bad_signature"));
    expect(await receive(notification(), signBody(notification({ message_id: "m-2" }), "pwh_one"))).toEqual(
      refused(401, "bad_signature"),
    );
  });

  it("D78: refuses with 400 a signed notification with a missing or distant time", async () => {
    const { receive } = setUp();
    expect(await receive(notification({ webhook_timestamp: undefined }))).toEqual(refused(400, "missing_timestamp"));
    expect(await receive(notification({ webhook_timestamp: NOW }))).toEqual(refused(400, "missing_timestamp"));
    for (const apart of [-5 * MINUTE, 5 * MINUTE])
      expect(await receive(notification({ message_id: `at ${apart}` }), undefined, NOW + apart)).toEqual(
        accepted(false),
      );
    for (const apart of [-5 * MINUTE - 1, 5 * MINUTE + 1])
      expect(await receive(notification(), undefined, NOW + apart)).toEqual(refused(400, "stale_timestamp"));
  });

  it("doesn't remember refused notifications", async () => {
    const { receive } = setUp();
    await receive(notification(), null);
    await receive(notification(), signBody(notification(), "pwh_other"));
    await receive(notification(), undefined, NOW + 10 * MINUTE);
    expect(await receive(notification())).toEqual(accepted(false));
  });

  it("uses the secret of the body's integration, in any case", async () => {
    const { asked, receive } = setUp();
    const other = notification({ integration_id: OTHER.toUpperCase() });
    expect(await receive(other, signBody(other, "pwh_other"))).toEqual(accepted(false));
    expect(await receive(other, signBody(other, "pwh_one"))).toEqual(refused(401, "bad_signature"));
    expect(asked).toEqual([OTHER, OTHER]);
  });

  it("refuses an unknown integration, without looking up an invalid one", async () => {
    const { asked, receive } = setUp();
    const unknown = "99999999-9999-4999-8999-999999999999";
    expect(await receive(notification({ integration_id: unknown }))).toEqual(refused(401, "bad_signature"));
    for (const integration_id of [undefined, null, 7, "", "constructor", "__proto__", [ONE]])
      expect(await receive(notification({ integration_id }))).toEqual(refused(401, "bad_signature"));
    for (const text of ["", "no json", "null", "[]", `"${ONE}"`])
      expect(await receive(Buffer.from(text)), text).toEqual(refused(401, "bad_signature"));
    expect(asked).toEqual([unknown]);
  });

  it("looks up no secret without a signature, because anyone could open every world that way", async () => {
    const { asked, receive } = setUp();
    for (const header of [null, ""]) await receive(notification(), header);
    expect(asked).toEqual([]);
  });

  it("acknowledges a message without an ID every time", async () => {
    const { receive } = setUp();
    const body = notification({ message_id: undefined });
    expect([await receive(body), await receive(body)]).toEqual([accepted(false), accepted(false)]);
  });

  it("lists accepted and refused notifications with reasons, newest first", async () => {
    const { receive, receipts } = setUp();
    await receive(notification());
    await receive(notification());
    await receive(notification({ message_id: "m-2" }), null);
    expect(
      receipts().map(({ outcome, status, reason, repeat, message_id }) => ({
        outcome,
        status,
        reason,
        repeat,
        message_id,
      })),
    ).toEqual([
      { outcome: "refused", status: 401, reason: "missing_signature", repeat: false, message_id: "m-2" },
      { outcome: "repeated", status: 200, reason: null, repeat: true, message_id: "m-1" },
      { outcome: "accepted", status: 200, reason: null, repeat: false, message_id: "m-1" },
    ]);
    expect(receipts()[2]).toMatchObject({
      at: new Date(NOW).toISOString(),
      integration_id: ONE,
      body_base64: notification().toString("base64"),
    });
    expect(receipts()[0]?.verification.map(({ verdict }) => verdict)).toEqual([
      "failed",
      "skipped",
      "skipped",
      "skipped",
    ]);
  });

  it("lists a limited number of arrivals of limited size", async () => {
    const { receive, receipts } = setUp();
    const large = notification({ message_id: "m".repeat(100_000), payload: "x".repeat(100_000) });
    for (let index = 0; index < 250; index += 1) await receive(large, "no signature");
    expect(receipts()).toHaveLength(200);
    const [newest] = receipts();
    expect(newest).toMatchObject({ body_bytes: large.byteLength, message_id: null });
    expect(newest?.body_base64).toBe(large.subarray(0, 16 * 1024).toString("base64"));
  });

  it("remembers no message after it was emptied", async () => {
    const { receive, receipts, sink } = setUp();
    await receive(notification());
    sink.clear();
    expect(receipts()).toEqual([]);
    expect(await receive(notification())).toEqual(accepted(false));
  });
});

it("recognises secrets by their organizations, which may be unknown", () => {
  const { world } = new DeliveringWorld();
  expect(listSecrets(world)).toEqual([{ name: "another organization", secret: SECRET }]);
  world.db.run("INSERT INTO organizations (id, name) VALUES ('organization', 'Harbour')");
  expect(listSecrets(world)).toEqual([{ name: "Harbour", secret: SECRET }]);
});

import { expect, it, onTestFinished, vi } from "vitest";
import { createSender, type Listener, Listeners, type ReportedResponse } from "./listeners.ts";
import type { PreparedAttempt } from "./prepare.ts";

const prepared = {
  ...{ number: 1, headers: [["x", "y"]], body: Buffer.from("{}"), stampedAt: 0 },
  delivery: { event_type: "repairer.jobs", integration_id: "i", label: "J-1", created_at: "" },
} as unknown as PreparedAttempt;
const answer = (response_status: number | null, error: string | null = null): ReportedResponse => ({
  ...{ response_status, error, response_headers: [], response_body_base64: "" },
});
const machine = () => ({ send: vi.fn<Listener["send"]>(), end: vi.fn(), left: vi.fn() });
const connected = (world = "w", name = "ana") => {
  const listeners = new Listeners();
  const first = machine();
  listeners.connect(world, name, first);
  const lastSent = () => first.send.mock.lastCall?.[1] as { id: string };
  return { listeners, first, lastSent };
};

it("passes a machine its world's notifications, and accepts responses only from that world", async () => {
  const { listeners, first, lastSent } = connected();
  const sent = listeners.forward("w", "ana", prepared);
  expect(first.send).toHaveBeenLastCalledWith("notification", expect.objectContaining({ body_base64: "e30=" }));
  expect(listeners.answered("w2", lastSent().id, answer(200))).toBe(false);
  expect(listeners.answered("w", "unknown", answer(200))).toBe(false);
  expect(listeners.answered("w", lastSent().id, answer(204))).toBe(true);
  expect(await sent).toEqual(answer(204));
  expect(listeners.answered("w", lastSent().id, answer(200))).toBe(false);
});

it("treats a notification as not sent without a connected machine", async () => {
  const { listeners } = connected();
  expect(await listeners.forward("w", "ben", prepared)).toBeNull();
  expect(await listeners.forward("w2", "ana", prepared)).toBeNull();
  const isAway = (world: string, address: string) => listeners.isAway(world, address);
  expect([isAway("w", "https://ana.listen.invalid/"), isAway("w", "https://ben.listen.invalid/")]).toEqual([
    false,
    true,
  ]);
  expect(isAway("w", "https://ben.example/")).toBe(false);
});

it("replaces a machine of the same name, tells it why, and ignores its later disconnect", async () => {
  const { listeners, first } = connected();
  const sent = listeners.forward("w", "ana", prepared);
  const second = machine();
  listeners.connect("w", "ana", second);
  expect(first.send).toHaveBeenLastCalledWith("end", { reason: expect.stringMatching(/same name/) });
  expect([first.left, first.end].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  expect(await sent).toBeNull();
  expect(listeners.disconnect("w", "ana", first)).toBe(false);
  expect(listeners.isConnected("w", "ana")).toBe(true);
  expect(second.send).not.toHaveBeenCalled();
});

it("fails the open notifications of a disconnected machine", async () => {
  const { listeners, first } = connected();
  const sent = listeners.forward("w", "ana", prepared);
  expect(listeners.disconnect("w", "ana", first)).toBe(true);
  expect(await sent).toEqual(answer(null, "the developer machine disconnected without a response"));
  expect([listeners.isConnected("w", "ana"), first.left.mock.calls.length]).toEqual([false, 1]);
});

it("disconnects a machine that doesn't respond within the attempt's limit", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { listeners, first, lastSent } = connected();
  const answered = listeners.forward("w", "ana", prepared);
  listeners.answered("w", lastSent().id, answer(200));
  await answered;
  vi.advanceTimersByTime(10_000);
  expect(first.end).not.toHaveBeenCalled();
  const sent = listeners.forward("w", "ana", prepared);
  vi.advanceTimersByTime(9_999);
  expect(first.end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(first.end).toHaveBeenCalledOnce();
  expect(await sent).toBeNull();
});

it("disconnects the machines of one world, or all", () => {
  const { listeners } = connected();
  listeners.connect("w2", "ana", machine());
  listeners.connect("w3", "ben", machine());
  const open = () => [
    listeners.isConnected("w", "ana"),
    listeners.isConnected("w2", "ana"),
    listeners.isConnected("w3", "ben"),
  ];
  listeners.end("the world was deleted", "w2");
  expect(open()).toEqual([true, false, true]);
  listeners.end("the service stops");
  expect(open()).toEqual([false, false, false]);
});

it.each([
  [answer(200), true],
  [answer(204), false],
  [answer(200, "the response broke off"), false],
])("acknowledges only with a complete 200, also through a machine", async (answered, acknowledged) => {
  const { listeners, lastSent } = connected();
  const began = performance.now();
  const sender = createSender("w", "https://ana.listen.invalid/", { listeners, allows: () => true });
  const sent = sender.send(prepared);
  listeners.answered("w", lastSent().id, answered);
  const { exchanged, ...result } = (await sent) ?? {};
  expect([result, exchanged]).toMatchObject([
    { prepared, acknowledged },
    { ...answered, request_headers: [["x", "y"]], request_body_base64: "e30=", response_truncated: false },
  ]);
  expect(exchanged?.duration_ms).toBeLessThan(performance.now() - began);
  const away = createSender("w", "https://ben.listen.invalid/", { listeners, allows: () => true });
  expect(await away.send(prepared)).toBeNull();
});

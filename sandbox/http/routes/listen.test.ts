import net from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { subscriptionsList } from "../../contract/control/operations.ts";
import { startTestService } from "../../testing/harness.ts";
import { rawHead } from "../../testing/raw-connection.ts";
import type * as Listening from "../../webhooks/listening.ts";

let goOn: () => void = () => undefined;
const begun = vi.fn<() => void>();
vi.mock("../../webhooks/listening.ts", async (original) => {
  const real = await original<typeof Listening>();
  const listen: typeof real.listen = async (...asked) => {
    const listening = await real.listen(...asked);
    begun();
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return listening;
  };
  return { ...real, listen };
});

test("a developer machine that disconnects while its subscriptions are stored is not connected", async () => {
  const service = await startTestService();
  onTestFinished(() => service.end());
  const authorization = `Bearer ${service.ready.control_token}`;
  const socket = net.connect(service.port, "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(rawHead("GET /__sandbox/listen?name=anna", { authorization }));
  await expect.poll(() => begun.mock.calls.length).toBe(1);
  socket.destroy();
  await closed;
  const state = async () => {
    const { items } = await service.control(subscriptionsList, {});
    return items.flatMap(({ listener }) => listener?.connected ?? []);
  };
  // The calls run in a later turn of the event loop than the end of the connection.
  for (let calls = 0; calls < 5; calls += 1) expect(await state()).toEqual([false, false]);
  goOn();
  for (let calls = 0; calls < 5; calls += 1) expect(await state()).toEqual([false, false]);
});

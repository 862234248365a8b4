import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { streamReader } from "./live.ts";

const LAST_WORDS = 10_000;
afterEach(() => void vi.useRealTimers());

/** A stream that is read, or kept open without reading. */
const stream = async () => {
  let reader: ReturnType<typeof streamReader> | undefined;
  const errors: Error[] = [];
  const server = http.createServer((_, response) => {
    response.on("error", (error) => errors.push(error));
    response.writeHead(200);
    reader = streamReader(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write("GET / HTTP/1.0\r\n\r\n");
  await expect.poll(() => reader).toBeDefined();
  if (!reader) throw new Error("nobody connected");
  return {
    reader,
    client,
    errors,
    connections: () => new Promise<number>((resolve) => server.getConnections((_, n) => resolve(n))),
  };
};
const MEBIBYTE = Buffer.alloc(1024 * 1024, "x");

it("reports the number of waiting bytes, and when they are sent", async () => {
  const { reader, client } = await stream();
  client.pause();
  const drained = new Promise<void>((resolve) => reader.onDrain(resolve));
  let waiting = 0;
  for (let left = 32; left > 0; left -= 1) waiting = reader.write(MEBIBYTE);
  expect(waiting).toBeGreaterThan(MEBIBYTE.length);
  client.resume();
  await drained;
  expect(reader.write(Buffer.from("x"))).toBeLessThan(MEBIBYTE.length);
});

it("ignores writes after its end, even while its caller keeps it open", async () => {
  const { reader, client, errors } = await stream();
  client.pause();
  reader.end();
  reader.write(Buffer.from("x"));
  reader.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual([]);
});

it("gives a blocked reader time for its last bytes, then cuts it off", async () => {
  const { reader, client, connections } = await stream();
  client.pause();
  for (let left = 32; left > 0; left -= 1) reader.write(MEBIBYTE);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  reader.end();
  vi.advanceTimersByTime(LAST_WORDS - 1);
  expect(await connections()).toBe(1);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.poll(connections).toBe(0);
});

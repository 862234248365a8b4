import http from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { runLoad } from "./load.ts";
import type { LoadOrder } from "./load-order.ts";
import { NUMBER, requestText } from "./request-text.ts";

const listen = async (handle: (body: string, response: http.ServerResponse) => void): Promise<number> => {
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    handle(Buffer.concat(chunks).toString("utf8"), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const order = (port: number): LoadOrder => ({
  port,
  connections: 4,
  request: requestText({ port, path: "/", headers: {}, body: { n: NUMBER } }),
  numbers: { from: 100 },
  status: 200,
  warmupMs: 0,
  measureMs: 10_000,
  requests: 50,
});

describe("the load", () => {
  it("sends as many requests as ordered, each with a number of its own, and counts the answers", async () => {
    const numbers: number[] = [];
    const port = await listen((body, response) => {
      numbers.push(Number((JSON.parse(body) as { n: string }).n));
      response.end(body);
    });
    const result = await runLoad(order(port));
    expect(result.answered).toBe(50);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => 100 + index));
    expect(result.perSecond).toBeGreaterThan(0);
  });

  it("draws numbers below the bound when it is to read at random", async () => {
    const numbers = new Set<number>();
    const port = await listen((body, response) => {
      numbers.add(Number((JSON.parse(body) as { n: string }).n));
      response.end(body);
    });
    await runLoad({ ...order(port), numbers: { below: 3 } });
    expect([...numbers].every((number) => number >= 0 && number < 3)).toBe(true);
  });

  it("fails when one answer is not the expected one, with what it said", async () => {
    let requests = 0;
    const port = await listen((_, response) => {
      requests += 1;
      response.statusCode = requests === 20 ? 503 : 200;
      response.end(requests === 20 ? "the disk is full" : "{}");
    });
    await expect(runLoad(order(port))).rejects.toThrow("An answer was 503 instead of 200: the disk is full");
  });

  it("fails when the server closes a connection in the middle", async () => {
    const port = await listen((_, response) => response.socket?.destroy());
    await expect(runLoad(order(port))).rejects.toThrow(/closed a connection|ECONNRESET/);
  });
});

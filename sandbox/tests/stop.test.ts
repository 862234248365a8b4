import net from "node:net";
import { expect, test } from "vitest";
import { pathOf } from "../contract/operation.ts";
import { jobsInsert } from "../contract/operations/partner.ts";
import { credentialHeaders, repairer, startTestService } from "../testing/harness.ts";

const connect = (port: number): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(socket)).on("error", reject);
  });

const stopsWithin = async (ms: number, stop: () => Promise<void>): Promise<void> => {
  const started = performance.now();
  await stop();
  expect(performance.now() - started).toBeLessThan(ms);
};

test("stopping does not wait for a connection that never sent a request", async () => {
  const service = await startTestService();
  const socket = await connect(Number(new URL(service.baseUrl).port));
  socket.on("error", () => undefined);
  await stopsWithin(3_000, () => service.end());
});

test("stopping answers what is in flight, then ends its kept-alive connection", async () => {
  const service = await startTestService();
  const socket = await connect(Number(new URL(service.baseUrl).port));
  const body = JSON.stringify({
    identity: { external: "in-flight" },
    repairer_site_id: "27dd09b9-f7a0-507e-99fd-e42e88e60a99",
  });
  const headers = {
    ...credentialHeaders(repairer),
    host: "127.0.0.1",
    "content-length": String(body.length),
    connection: "keep-alive",
  };
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  let answered = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answered += text;
  });
  socket.write(`POST ${pathOf(jobsInsert)} HTTP/1.1\r\n${head}\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stopping = stopsWithin(3_000, () => service.end());
  socket.write(body);
  await stopping;
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(answered).toContain('"external_id":"in-flight"');
});

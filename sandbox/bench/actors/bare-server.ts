import http from "node:http";
import type { AddressInfo } from "node:net";
import { answerCalls } from "../processes/answering.ts";

/** H: as little as a JSON service can do. It parses what it is sent and echoes it. */
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const body = JSON.stringify(value);
    response
      .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  });
});

const calls = {
  /** @returns the port it listens on */
  listen: (_: null): Promise<number> =>
    new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))),
};
export type BareServerCalls = typeof calls;

answerCalls(calls);

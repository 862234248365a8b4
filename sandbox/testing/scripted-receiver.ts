import net, { type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { Sender } from "../webhooks/send.ts";
import { DeliveringWorld } from "./delivering-world.ts";

/** A response with status 200. */
export const okAnswer = (body = "ok"): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Handles a request; called with the number of requests on this connection and in total. */
export type Behaviour = (socket: net.Socket, onConnection: number, inAll: number) => void;

const countRequests = (chunk: Buffer): number => chunk.toString("latin1").split("POST /").length - 1;

/** Listens on a free port until the end of the test. */
export const listen = async (server: net.Server): Promise<number> => {
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** A receiver at the TCP level: the test handles each request. */
export const receiver = async (behave: Behaviour) => {
  const seen = { connections: 0, requests: 0, bytes: "" };
  const serve = (socket: net.Socket): void => {
    seen.connections += 1;
    let requestCount = 0;
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      seen.bytes += chunk.toString("latin1");
      for (let count = countRequests(chunk); count > 0; count -= 1) {
        requestCount += 1;
        seen.requests += 1;
        behave(socket, requestCount, seen.requests);
      }
    });
  };
  return { port: await listen(net.createServer(serve)), seen };
};

/** Creates a sender that is closed after the test. */
export const createSender = (url: string, allows: (address: string) => boolean = () => true, limitMs?: number) => {
  const known = new DeliveringWorld();
  known.subscribe("s", url);
  const [id = ""] = known.queue("s");
  const sender = new Sender(url, { allows }, limitMs);
  onTestFinished(() => sender.close());
  const send = async () => {
    const { exchanged, prepared, acknowledged } = await sender.send({
      delivery: known.delivery(id),
      number: 1,
      stampedAt: 0,
      headers: [
        ["content-type", "application/json"],
        ["content-length", "2"],
      ],
      body: Buffer.from("{}"),
    });
    return {
      prepared: { ...prepared, headers: exchanged.request_headers },
      acknowledged,
      status: exchanged.response_status,
      headers: exchanged.response_headers,
      body: Buffer.from(exchanged.response_body_base64, "base64"),
      truncated: exchanged.response_truncated,
      error: exchanged.error,
      duration_ms: exchanged.duration_ms,
    };
  };
  return { sender, send };
};

/** Sends one request and returns its result. */
export const one = (url: string, allows?: (address: string) => boolean, limitMs?: number) =>
  createSender(url, allows, limitMs).send();

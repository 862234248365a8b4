import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { onTestFinished } from "vitest";
import { Connection, type Outcome, targetOf } from "../webhooks/connection.ts";
import type { Certificate } from "./certificate.ts";

const REQUEST = Buffer.from("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n");
/** An answer with the status 200. */
export const okAnswer = (body = "ok"): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const everywhere = (): boolean => true;

/** What a receiver does with the requests of a connection: called with how many have arrived, on that and in all. */
export type Behaviour = (socket: net.Socket, onConnection: number, inAll: number) => void;

const requestsIn = (chunk: Buffer): number => chunk.toString("latin1").split("POST /").length - 1;

/** Lets a server listen on a free port, until the test is over. */
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

/** A receiver on a connection's own level: what it does with each request is up to the test. */
export const receiver = async (behave: Behaviour, secure?: Certificate) => {
  const seen = { connections: 0, requests: 0 };
  const serve = (socket: net.Socket): void => {
    seen.connections += 1;
    let here = 0;
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      for (let count = requestsIn(chunk); count > 0; count -= 1) {
        here += 1;
        seen.requests += 1;
        behave(socket, here, seen.requests);
      }
    });
  };
  const server = secure ? tls.createServer({ cert: secure.cert, key: secure.key }, serve) : net.createServer(serve);
  server.on("tlsClientError", () => undefined);
  return { port: await listen(server), seen };
};

/** A connection to an address, and what became of the requests it was given, in the order it was told. */
export const connectTo = (url: string, allows: (address: string) => boolean = everywhere) => {
  const ended: (Outcome & { readonly item: string })[] = [];
  let settled: (() => void)[] = [];
  const connection = new Connection<string>(targetOf(new URL(url)), allows, {
    ended: (item, outcome) => void ended.push({ item, ...outcome }),
    settled: () => {
      for (const resolve of settled.splice(0)) resolve();
    },
  });
  onTestFinished(() => connection.close());
  const all = async (): Promise<typeof ended> => {
    while (connection.underWay > 0) await new Promise<void>((resolve) => settled.push(resolve));
    settled = [];
    return ended.splice(0);
  };
  const send = (...items: readonly string[]) => {
    connection.send(items, Buffer.concat(items.map(() => REQUEST)));
    return all();
  };
  return { connection, send };
};
/** What becomes of one request to an address. */
export const one = async (url: string, allows?: (address: string) => boolean): Promise<Outcome> => {
  const [outcome] = await connectTo(url, allows).send("one");
  if (!outcome) throw new Error("it was not said what became of the request");
  return outcome;
};

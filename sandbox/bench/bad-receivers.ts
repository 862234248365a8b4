import { randomBytes } from "node:crypto";
import net from "node:net";
import { listen } from "./processes.ts";

/** Writes a start, then repeats a chunk for as long as the other side reads. */
const flood = (socket: net.Socket, beginning: string, chunk: string): void => {
  socket.write(beginning);
  const pump = () => {
    while (socket.writable) if (!socket.write(chunk)) return;
  };
  socket.on("drain", pump);
  pump();
};

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

/** Responses of a receiver other than an acknowledgement. */
const misbehaviours: readonly ((socket: net.Socket) => void)[] = [
  // Hang before the response, within its head, within its body.
  () => undefined,
  (socket) => socket.write(`${OK}x-slow: `),
  (socket) => socket.write(`${OK}content-length: 11\r\n\r\n{"ok"`),
  // Endless headers, interim responses, body, trailers.
  (socket) => flood(socket, OK, "x-flood: of headers\r\n".repeat(200)),
  (socket) => flood(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(200)),
  (socket) => flood(socket, CHUNKED, `1000\r\n${"f".repeat(0x1000)}\r\n`),
  (socket) => flood(socket, `${CHUNKED}0\r\n`, "x-flood: of trailers\r\n".repeat(200)),
  // Garbage: noise, a header of spaces, an invalid status, a connection cut short.
  (socket) => socket.write(randomBytes(4_096)),
  (socket) => socket.write(`${OK}connection: x${" ".repeat(60_000)}y\r\ncontent-length: 0\r\n\r\n`),
  (socket) => socket.write("HTTP/1.1 099 What\r\ncontent-length: nine\r\n\r\n"),
  (socket) => socket.destroy(),
];

const open = (misbehave: (socket: net.Socket) => void): Promise<number> =>
  listen(
    net.createServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", () => {
        socket.resume();
        misbehave(socket);
      });
    }),
  );

// Starts as many receivers as the argument says, each on its own port, and prints their addresses.
const count = Number(process.argv[2]);
const all = Array.from(
  { length: count },
  (_, index) => misbehaviours[index % misbehaviours.length] ?? (() => undefined),
);
const ports = await Promise.all(all.map(open));
process.stdout.write(`${JSON.stringify(ports.map((port) => `http://127.0.0.1:${port}/`))}\n`);

import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const SWEEP_MS = 20;

/**
 * Prepares an app to stop as soon as what is in flight is answered. Node alone would wait for two kinds of connection
 * until they time out: one that never sent a request (browsers open them ahead), which it does not count as idle, and
 * one whose last answer left after the single sweep of idle ones. For a caller that stalls in its request Node would wait
 * for ever, as it no longer looks at the times of requests once it closes.
 *
 * @param stopMs after how many milliseconds what is still in flight is given up
 * @returns closes the app: stops accepting, finishes what is in flight
 */
export const gracefulClose = (app: FastifyInstance, stopMs: number): (() => Promise<void>) => {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }) => unused.delete(socket));
  return async () => {
    const closing = app.close();
    for (const socket of unused) socket.destroy();
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    const patience = setTimeout(() => app.server.closeAllConnections(), stopMs);
    await closing.finally(() => {
      clearInterval(sweep);
      clearTimeout(patience);
    });
  };
};

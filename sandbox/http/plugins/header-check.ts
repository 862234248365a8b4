import type { FastifyInstance } from "fastify";
import { sendError, sendJson } from "../answers.ts";
import type { ConnectionLimits } from "../connection-limits.ts";

/** How many Host headers a request has; names and values take turns. */
const hostsIn = (rawHeaders: readonly string[]): number => {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts;
};

/** Refuses a head that Node reads, but that another reader of the same bytes may take for something else. */
export const headerCheck = (app: FastifyInstance, limits: ConnectionLimits): void => {
  app.addHook("onRequest", (request, reply, done) => {
    const { rawHeaders, headers } = request.raw;
    const count = rawHeaders.length / 2;
    const hosts = hostsIn(rawHeaders);
    const coding = headers["transfer-encoding"];
    if (count > limits.headers) {
      const message = `A request has at most ${limits.headers} headers; this one has ${count}.`;
      sendJson(reply, 431, JSON.stringify({ type: "bad_request", message }));
    } else if (hosts !== 1) {
      sendError(reply, "bad_request", `A request has one Host header; this one has ${hosts || "none"}.`);
    } else if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") {
      // Node would take the chunks for the body itself, still compressed.
      sendError(reply, "bad_request", "Of the header Transfer-Encoding only chunked is understood.");
    } else done();
  });
};

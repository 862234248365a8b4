import type { FastifyInstance } from "fastify";
import type { AppServices } from "../app-services.ts";
import { refuseUnrouted } from "../unrouted.ts";

/** How many headers of a name, in small letters, a request has; names and values alternate. */
const countOf = (name: string, rawHeaders: readonly string[]): number => {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) found += 1;
  }
  return found;
};

/** Of these Node takes the first and drops the others in silence. */
const AT_MOST_ONE = ["Authorization", "Content-Type"];

/** Refuses a head that Node reads, but that another reader of the same bytes may take for something else. */
export const headerCheck = (app: FastifyInstance, services: AppServices): void => {
  const { limits } = services;
  app.addHook("onRequest", (request, reply, done) => {
    const { rawHeaders, headers } = request.raw;
    const count = rawHeaders.length / 2;
    const hosts = countOf("host", rawHeaders);
    const repeated = AT_MOST_ONE.find((name) => countOf(name.toLowerCase(), rawHeaders) > 1);
    const coding = headers["transfer-encoding"];
    const refuse = (message: string, status?: number): void => {
      const unrouted = { kind: "unreadable", code: "bad_request", message, ...(status ? { status } : {}) } as const;
      refuseUnrouted(request, reply, services, unrouted);
    };
    if (count > limits.headers) {
      refuse(`A request has at most ${limits.headers} headers; this one has ${count}.`, 431);
    } else if (hosts !== 1) {
      refuse(`A request has one Host header; this one has ${hosts || "none"}.`);
    } else if (repeated !== undefined) {
      refuse(`A request has at most one ${repeated} header; this one has more.`);
    } else if (coding !== undefined && coding.trim().toLowerCase() !== "chunked") {
      // Node would take the chunks for the body itself, still compressed.
      refuse("Of the header Transfer-Encoding only chunked is understood.");
    } else done();
  });
};

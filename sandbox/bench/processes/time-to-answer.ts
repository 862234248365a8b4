import type { ChildProcess } from "node:child_process";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Children } from "./children.ts";
import { plainEnvironment } from "./plain-environment.ts";

const TRY_EVERY_MS = 2;
const PATIENCE_MS = 60_000;

/** A port nobody listens on just now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const statusOf = (port: number, path: string): Promise<number | null> =>
  new Promise((resolve) => {
    http
      .get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode ?? null));
      })
      .once("error", () => resolve(null));
  });

/** A program that answers GET requests once it is ready. */
export interface Answering {
  readonly program: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly path: string;
  /** Any answer will do; else it has to be 200. */
  readonly any: boolean;
}

export interface TimedStart {
  /** From spawn to the first answer that will do. */
  readonly milliseconds: number;
  /** Still running. */
  readonly child: ChildProcess;
}

/** Starts a program and waits for its answer. @throws when it ends before, or a minute has gone by */
export const timeToAnswer = async (children: Children, answering: Answering): Promise<TimedStart> => {
  const { program, args, port, path, any } = answering;
  const began = performance.now();
  const child = children.spawn(program, args, { stdio: "ignore", env: plainEnvironment() });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${program} ${args.join(" ")} ended before it answered.`)));
  });
  const answered = async (): Promise<TimedStart> => {
    for (;;) {
      const status = await statusOf(port, path);
      const milliseconds = performance.now() - began;
      if (status === 200 || (any && status !== null)) return { milliseconds, child };
      if (milliseconds > PATIENCE_MS) throw new Error(`${program} ${args.join(" ")} has not answered within a minute.`);
      await sleep(TRY_EVERY_MS);
    }
  };
  return Promise.race([answered(), failed]);
};

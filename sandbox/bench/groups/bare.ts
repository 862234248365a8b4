import type { BareServerCalls } from "../actors/bare-server.ts";
import { actorFile, type Bench } from "../bench.ts";
import { Actor } from "../processes/actor.ts";

export interface Bare {
  readonly port: number;
  end(): void;
}

/** Starts H, the bare `node:http` server everything is compared with, as a process of its own. */
export const startBare = async (bench: Bench): Promise<Bare> => {
  const actor = new Actor<BareServerCalls>(bench.children, actorFile("bare-server"));
  return { port: await actor.call("listen", null), end: () => actor.end() };
};

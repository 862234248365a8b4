import { setTimeout as sleep } from "node:timers/promises";
import { businessesList } from "../../contract/operations/partner.ts";
import { type Ledger, UnknownOutcomeError, ViolatedGuaranteeError } from "../ledger.ts";
import { type BalancedService, retryUnknownOutcome } from "./balanced-service.ts";
import type { Machine } from "./machines.ts";
import type { Node, Stage } from "./stage.ts";

/** Longer than a node's lease, and longer than other nodes wait for it. */
const AWAY_MS = 8_000;
const FULL_MS = 12_000;
/** Programs read their clock's offset once a second. */
const CLOCK_READ_MS = 2_000;
/** A world follows its calls within five seconds, if they are most of them. */
const MOVED_MS = 10_000;
const ASKED_EVERY_MS = 100;

/** Targets of a failure. */
export interface Scene {
  readonly stage: Stage;
  /** The failing node and some of its worlds; for a database failure, any node's. */
  readonly node: Node;
  readonly ledgers: readonly Ledger[];
  /** All nodes, through the balancer. */
  readonly service: BalancedService;
  /** Resolves when each of these worlds has responded to a call that started after this one. */
  readonly awaitResponses: () => Promise<void>;
}

export interface Failure {
  readonly name: string;
  /** Requires machines in their own namespaces. */
  readonly apart?: true;
  /** Requires clocks that can be set. */
  readonly clocks?: true;
  /** Requires another version. */
  readonly versions?: true;
  /** Causes the failure, waits until calls are awaitResponses, and repairs it. */
  readonly act: (scene: Scene) => Promise<void>;
}

/** Kills database machines until calls are answered without them. */
const lose = async ({ stage: { databases }, awaitResponses }: Scene, lost: readonly Machine[]): Promise<void> => {
  if (lost.length === 0) throw new ViolatedGuaranteeError("The database has nobody in a role that it must have.");
  for (const machine of lost) await databases.kill(machine);
  await awaitResponses();
  for (const machine of lost) databases.startMember(machine);
  await databases.healthy();
};

/** Replaces a node as an operator would. */
const replace = async (node: Node, awaitResponses: Scene["awaitResponses"], version?: string): Promise<void> => {
  await node.stop("SIGTERM");
  await node.start(version);
  await awaitResponses();
};

/** Sets a node's clock while it runs. It may answer no call and sign no notification by that time. */
const nodeClockSet = (offset: string): Failure => ({
  name: `node's clock set by ${offset}, then back`,
  clocks: true,
  act: async ({ node, awaitResponses }) => {
    node.machine.setClock(offset);
    await sleep(AWAY_MS);
    await awaitResponses();
    node.machine.setClock("+0");
    await sleep(CLOCK_READ_MS);
    await node.healthy();
  },
});

let snapshots = 0;

export const failures: readonly Failure[] = [
  {
    name: "node killed",
    act: async ({ node, awaitResponses }) => {
      await node.stop("SIGKILL");
      await awaitResponses();
      await node.start();
    },
  },
  {
    name: "node paused past its lease",
    act: async ({ node, ledgers, awaitResponses }) => {
      node.signal("SIGSTOP");
      await sleep(AWAY_MS);
      await awaitResponses();
      // These calls wait at the node, which must not answer them as if it still owned the worlds.
      const { service } = node;
      const late = ledgers.map((ledger) => ledger.ask(service, businessesList, {}));
      const lateCalls = Promise.allSettled(late);
      await sleep(100);
      node.signal("SIGCONT");
      for (const { status, ...outcome } of await lateCalls)
        if (status === "rejected" && "reason" in outcome && outcome.reason instanceof ViolatedGuaranteeError)
          throw outcome.reason;
      await node.healthy();
    },
  },
  {
    name: "node cut off from the database",
    apart: true,
    act: async ({ node, awaitResponses }) => {
      node.machine.unplug("back");
      await sleep(AWAY_MS);
      await awaitResponses();
      node.machine.plug("back");
      await node.healthy();
    },
  },
  {
    name: "node cut off from everything",
    apart: true,
    act: async ({ node, awaitResponses }) => {
      node.machine.unplug("front");
      node.machine.unplug("back");
      await sleep(AWAY_MS);
      await awaitResponses();
      node.machine.plug("front");
      node.machine.plug("back");
      await node.healthy();
    },
  },
  {
    name: "snapshot of a node cut off from the database takes effect late",
    apart: true,
    act: async ({ node, ledgers: [ledger], service, awaitResponses }) => {
      const { proxy } = node;
      if (!ledger || !proxy) throw new ViolatedGuaranteeError("No world, or no proxy, was given.");
      snapshots += 1;
      const name = `late-${snapshots}`;
      const ifUnknown = (error: unknown): void => {
        if (!(error instanceof UnknownOutcomeError)) throw error;
      };
      proxy.holdBack("INSERT INTO sandbox_files", name);
      let isAnswered = false;
      const late = ledger
        .saveSnapshot(node.service, name)
        .catch(ifUnknown)
        .finally(() => {
          isAnswered = true;
        });
      while (!proxy.isHolding && !isAnswered) await sleep(1);
      // The world has just moved to another node, whose statement is not held.
      if (!proxy.isHolding) return;
      node.machine.unplug("back");
      await sleep(AWAY_MS);
      await awaitResponses();
      await ledger.saveSnapshot(service, name).catch(ifUnknown);
      node.machine.plug("back");
      await proxy.letGo();
      await late;
      await node.healthy();
      await retryUnknownOutcome(() => ledger.checkSnapshots(service));
    },
  },
  ...["+10m", "-10m", "+61m", "-61m"].map(nodeClockSet),
  {
    name: "database's clock set by 10 s, then back",
    clocks: true,
    act: async ({ stage: { databases }, awaitResponses }) => {
      for (const offset of ["+10", "+0"]) {
        databases.setClock(offset);
        await sleep(AWAY_MS);
        await awaitResponses();
      }
    },
  },
  { name: "primary lost", act: async (scene) => lose(scene, await scene.stage.databases.of("leader")) },
  { name: "standby lost", act: async (scene) => lose(scene, await scene.stage.databases.of("sync_standby")) },
  {
    name: "both standbys lost, one back after 8 s",
    act: async (scene) => {
      const { databases } = scene.stage;
      const [last] = await databases.of("replica");
      const [first] = await databases.of("sync_standby");
      if (!first || !last) throw new ViolatedGuaranteeError("The database has not two standbys.");
      await databases.kill(first);
      await databases.kill(last);
      await sleep(AWAY_MS);
      databases.startMember(last);
      await lose(scene, [first]);
    },
  },
  {
    name: "primary's disk full for 12 s",
    apart: true,
    act: async ({ stage: { databases }, awaitResponses }) => {
      const [primary] = await databases.of("leader");
      await primary?.fillFor(FULL_MS);
      await awaitResponses();
      await databases.healthy();
    },
  },
  {
    name: "node's disk full for 12 s",
    apart: true,
    act: async ({ node, awaitResponses }) => {
      await node.machine.fillFor(FULL_MS);
      await awaitResponses();
      await node.healthy();
    },
  },
  {
    name: "world called at another node until it moves, then back",
    act: async ({ stage, node, ledgers, awaitResponses }) => {
      const others = stage.nodes.filter((other) => other !== node);
      await Promise.all(
        ledgers.map(async (ledger, number) => {
          const other = others[number % others.length];
          const before = ledger.position?.node;
          for (const until = performance.now() + MOVED_MS; performance.now() < until; await sleep(ASKED_EVERY_MS)) {
            if (other) await retryUnknownOutcome(() => ledger.ask(other.service, businessesList, {}));
            if (ledger.position?.node !== before) break;
          }
        }),
      );
      await awaitResponses();
    },
  },
  {
    name: "all nodes restarted in turn by SIGTERM",
    act: async ({ stage: { nodes }, awaitResponses }) => {
      for (const node of nodes) await replace(node, awaitResponses);
    },
  },
  {
    name: "all nodes replaced in turn by another version, then back",
    versions: true,
    act: async ({ stage: { nodes, versions }, awaitResponses }) => {
      for (const version of versions.toReversed())
        for (const node of nodes) await replace(node, awaitResponses, version);
    },
  },
];

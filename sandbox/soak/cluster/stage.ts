import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { businessesList } from "../../contract/operations/partner.ts";
import { TestHaproxy } from "../../testing/haproxy.ts";
import { HoldingProxy } from "../../testing/holding-proxy.ts";
import { CommandProcess } from "../../testing/process.ts";
import { Ledger } from "../ledger.ts";
import { BalancedService, retryUnknownOutcome } from "./balanced-service.ts";
import { Databases, databaseBalancer, PRIMARY } from "./databases.ts";
import { BALANCER, Machine, makeNetworks } from "./machines.ts";

const PORT = 4026;
const READY_MS = 60_000;
const HEALTH_EVERY_MS = 100;
/** Time until HAProxy sends calls to a node, in milliseconds: two checks, a second apart. */
export const NOTICED_MS = 4_000;
const NODES = [1, 2, 3];

/** The command's plan for a run. */
export interface StagePlan {
  /** True if machines have their own namespaces. */
  readonly isApart: boolean;
  /** True if the disks are in memory, so they can be filled; commits cost nothing there. */
  readonly hasSmallDisks: boolean;
  /** True if clocks can be set and statements held up. Both take time, so nothing may be measured. */
  readonly isDisturbed: boolean;
  readonly folder: string;
  /** The built service's entry. */
  readonly service: string;
  /** The entry of another version, or null. */
  readonly other: string | null;
}

/** A node of the sandbox on its own machine. */
export class Node {
  readonly machine: Machine;
  readonly address: string;
  #cli: string;
  #process: CommandProcess | null = null;
  /** Port of its way to the database. */
  databasePort: number = PRIMARY.port;
  /** Holds statements up, if that is planned. */
  proxy: HoldingProxy | null = null;
  /** The node's ID in responses. */
  id = "";
  token = "";

  constructor(machine: Machine, cli: string) {
    this.machine = machine;
    this.address = `${machine.front}:${PORT}`;
    this.#cli = cli;
  }

  /** Calls the node directly, without the balancer. */
  get service(): BalancedService {
    return new BalancedService(`http://${this.address}`, this.token);
  }

  /** Starts the node as after a reboot. @param cli a different build from before */
  async start(cli = this.#cli): Promise<void> {
    this.#cli = cli;
    const temporary = path.join(this.machine.folder, "tmp");
    fs.rmSync(temporary, { recursive: true, force: true });
    fs.mkdirSync(temporary);
    const { front, through, clockEnvironment } = this.machine;
    const url = `postgres://postgres@${PRIMARY.host}:${this.databasePort}/postgres`;
    const options = ["--host", front, "--port", String(PORT), "--cluster", url, "--log", "silent"];
    this.#process = new CommandProcess(options, { TMPDIR: temporary, ...clockEnvironment }, cli, through);
    this.token = (await this.#process.ready(READY_MS)).control_token;
    const ledger = new Ledger(`world-of-${this.machine.name}`);
    await retryUnknownOutcome(() => ledger.ask(this.service, businessesList, {}));
    this.id = ledger.position?.node ?? "";
  }

  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#process?.kill(signal);
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#process?.child.kill(signal);
  }

  /** Resolves when its health check succeeds. */
  async healthy(): Promise<void> {
    for (;;) {
      const address = `http://${this.address}/__health`;
      const response = await fetch(address, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      if (response?.status === 200) return;
      await sleep(HEALTH_EVERY_MS);
    }
  }
}

/** Three nodes behind HAProxy, three database servers, and etcd, each on its own machine. */
export class Stage {
  readonly nodes: readonly Node[];
  readonly databases: Databases;
  /** The initial version and the other one. */
  readonly versions: readonly string[];
  readonly #folder: string;
  readonly #isDisturbed: boolean;
  #haproxy: TestHaproxy | null = null;

  constructor({ isApart, hasSmallDisks, isDisturbed, folder, service, other }: StagePlan) {
    if (isApart) makeNetworks();
    const how = { isApart, hasSmallDisk: hasSmallDisks, hasOwnClock: isDisturbed };
    this.#folder = folder;
    this.#isDisturbed = isDisturbed;
    this.versions = other === null ? [service] : [service, other];
    this.nodes = NODES.map((n) => new Node(new Machine(`node${n}`, 10 + n, folder, how), service));
    const members = NODES.map((n) => new Machine(`database${n}`, 20 + n, folder, how));
    this.databases = new Databases(
      new Machine("etcd", 30, folder, { isApart, hasSmallDisk: false, hasOwnClock: false }),
      members,
    );
  }

  /** Starts the database, the balancer and this many nodes. @returns the nodes as one service */
  async start(nodes = NODES.length): Promise<BalancedService> {
    const addresses = this.nodes.map(({ address }) => address);
    const { members } = this.databases;
    this.#haproxy = await TestHaproxy.start(this.#folder, addresses, BALANCER.front, databaseBalancer(members));
    await this.databases.start();
    if (this.#isDisturbed)
      for (const node of this.nodes) {
        node.proxy = await HoldingProxy.start(PRIMARY, { ...PRIMARY, port: 0 });
        node.databasePort = node.proxy.port;
      }
    await Promise.all(this.nodes.slice(0, nodes).map((node) => node.start()));
    await sleep(NOTICED_MS);
    return new BalancedService(this.#haproxy?.url ?? "", this.nodes[0]?.token ?? "");
  }

  async end(): Promise<void> {
    for (const node of this.nodes) node.signal("SIGCONT");
    await Promise.all(this.nodes.map((node) => node.stop("SIGKILL")));
    for (const { proxy } of this.nodes) proxy?.stop();
    await this.databases.end();
    await this.#haproxy?.end();
  }
}

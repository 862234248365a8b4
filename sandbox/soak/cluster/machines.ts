import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findProgram } from "../../testing/debian.ts";
import { SmallDisk } from "../../testing/small-disk.ts";

/** A network of their own, and disks; what was started and mounted ends with the first process. */
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
const NAMES = "/run/netns";
/** The nodes and their callers are in one network, the nodes and the database in another. */
const NETWORKS = { front: "127.66.1", back: "127.66.2" } as const;
type Network = keyof typeof NETWORKS;
/** More than any of them comes to. */
const DISK_MEGABYTES = 3_000;
/** What is freed on a disk is filled again so often. */
const FILL_EVERY_MS = 250;

const ip = (...words: readonly string[]): void =>
  void execFileSync(findProgram("ip") ?? "ip", words.join(" ").split(" "), { stdio: "pipe" });

/**
 * The command before a command whose machines can be apart.
 *
 * @returns null where the system lets nobody do that
 */
export const namespacedCommand = (): readonly string[] | null => {
  const bridge = ["unshare", ...NAMESPACES, "ip", "link", "add", "front", "type", "bridge"];
  const tried = spawnSync(bridge[0] ?? "", bridge.slice(1), { stdio: "ignore" });
  // A shell takes leave of processes that lost their parent, as the first process has to.
  return tried.status === 0 ? ["unshare", ...NAMESPACES, "sh", "-c", '"$@"; exit $?', "sh"] : null;
};

/** Has addresses that begin with 127 reach other machines: a local sandbox notifies no others. */
const ROUTED = [
  "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet",
  "ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo",
].join(" && ");

/** Makes the networks, and this machine the one in each that balances and calls. */
export const makeNetworks = (): void => {
  fs.mkdirSync(NAMES, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "tmpfs", NAMES]);
  execFileSync("sh", ["-c", ROUTED]);
  for (const [name, addresses] of Object.entries(NETWORKS)) {
    ip(`link add ${name} type bridge`);
    ip(`addr add ${addresses}.1/24 dev ${name}`);
    ip(`link set ${name} up`);
  }
};

interface MachinePlan {
  readonly isApart: boolean;
  /** Whether it has a disk that can be filled: in memory. */
  readonly hasSmallDisk: boolean;
}

/** Where all that balances is reached. */
export const BALANCER = { front: `${NETWORKS.front}.1`, back: `${NETWORKS.back}.1` };

/** A machine with a name, in both networks, and a disk; where they can't be apart it is only addresses and a folder. */
export class Machine {
  readonly name: string;
  readonly front: string;
  readonly back: string;
  readonly folder: string;
  readonly #disk: SmallDisk | null = null;
  readonly #log: string;
  readonly #isApart: boolean;
  readonly #children = new Set<ChildProcess>();

  constructor(name: string, number: number, folder: string, { isApart, hasSmallDisk }: MachinePlan) {
    this.name = name;
    this.front = `${NETWORKS.front}.${number}`;
    this.back = `${NETWORKS.back}.${number}`;
    this.#isApart = isApart;
    this.#log = `${folder}/${name}.log`;
    const disk = hasSmallDisk ? SmallDisk.mount(DISK_MEGABYTES) : null;
    if (disk instanceof SmallDisk) this.#disk = disk;
    this.folder = this.#disk?.folder ?? `${folder}/${name}`;
    fs.mkdirSync(this.folder, { recursive: true });
    if (isApart) this.#connect();
  }

  #connect(): void {
    ip(`netns add ${this.name}`);
    execFileSync("ip", ["netns", "exec", this.name, "sh", "-c", ROUTED]);
    for (const network of Object.keys(NETWORKS) as Network[]) {
      ip(`link add ${network}-${this.name} type veth peer name ${network} netns ${this.name}`);
      ip(`-n ${this.name} addr add ${this[network]}/24 dev ${network}`);
      ip(`-n ${this.name} link set ${network} up`);
      ip(`link set ${network}-${this.name} up`);
      this.plug(network);
    }
  }

  /** Pulls its cable out of a network: nobody is told. */
  unplug(network: Network): void {
    ip(`link set ${network}-${this.name} nomaster`);
  }

  plug(network: Network): void {
    ip(`link set ${network}-${this.name} master ${network}`);
  }

  /** The command before a command that runs on it; it becomes that command. */
  get through(): readonly string[] {
    return this.#isApart ? ["nsenter", `--net=${NAMES}/${this.name}`] : [];
  }

  /** Starts a program on it, as another user where one is given. */
  spawn(command: readonly string[], { uid, gid }: { readonly uid?: number; readonly gid?: number } = {}): void {
    const whose = uid === undefined ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
    const log = fs.openSync(this.#log, "a");
    const [program = "", ...rest] = [...this.through, ...whose, ...command];
    const child = spawn(program, rest, { stdio: ["ignore", log, log], cwd: "/" });
    fs.closeSync(log);
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
  }

  /** Ends all that runs on it at once, as a power cut does. @param orphans the ids of those that it did not start itself */
  async kill(orphans: readonly number[] = []): Promise<void> {
    const own = [...this.#children].flatMap(({ pid }) => pid ?? []);
    const listed = this.#isApart ? execFileSync("ip", ["netns", "pids", this.name], { encoding: "utf8" }) : "";
    for (const pid of [...own, ...orphans, ...listed.split("\n").filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    while (this.#children.size > 0) await sleep(10);
  }

  /** Has no room on its disk for a while. */
  async fillFor(milliseconds: number): Promise<void> {
    for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(FILL_EVERY_MS)) this.#disk?.fill();
    this.#disk?.free();
  }
}

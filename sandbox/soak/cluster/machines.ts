import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fakedTime, findProgram } from "../../testing/debian.ts";
import { SmallDisk } from "../../testing/small-disk.ts";

/** Namespaces for networks, mounts and processes; everything in them ends with the first process. */
const NAMESPACES = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
const NAMES = "/run/netns";
/** Two networks: nodes and callers, nodes and database. */
const NETWORKS = { front: "127.66.1", back: "127.66.2" } as const;
type Network = keyof typeof NETWORKS;
/** Disk size in megabytes, more than any machine needs. */
const DISK_MEGABYTES = 3_000;
/** How often a full disk is filled again, in milliseconds. */
const FILL_EVERY_MS = 250;

const ip = (...words: readonly string[]): void =>
  void execFileSync(findProgram("ip") ?? "ip", words.join(" ").split(" "), { stdio: "pipe" });

/**
 * Returns the command prefix that runs a command in its own namespaces.
 * @returns null where the system doesn't permit that
 */
export const namespacedCommand = (): readonly string[] | null => {
  const bridge = ["unshare", ...NAMESPACES, "ip", "link", "add", "front", "type", "bridge"];
  const tried = spawnSync(bridge[0] ?? "", bridge.slice(1), { stdio: "ignore" });
  // The namespace's first process must reap orphans, which a shell does.
  return tried.status === 0 ? ["unshare", ...NAMESPACES, "sh", "-c", '"$@"; exit $?', "sh"] : null;
};

/** Routes addresses starting with 127 to other machines, because a local sandbox notifies only those. */
const ROUTED = [
  "echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet",
  "ip link set lo up && ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo",
].join(" && ");

/** Creates the networks, and this machine's addresses for balancing and calling. */
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
  /** True if the machine has an in-memory disk that can be filled. */
  readonly hasSmallDisk: boolean;
  /** True if its programs run by a clock that can be set, through a library that takes time. */
  readonly hasOwnClock: boolean;
}

/** Addresses of the balancers. */
export const BALANCER = { front: `${NETWORKS.front}.1`, back: `${NETWORKS.back}.1` };

/** A named machine in both networks with a disk and a clock; without namespaces, only addresses and a folder. */
export class Machine {
  readonly name: string;
  readonly front: string;
  readonly back: string;
  readonly folder: string;
  readonly #disk: SmallDisk | null = null;
  readonly #log: string;
  readonly #clock: string;
  readonly #isApart: boolean;
  readonly #hasOwnClock: boolean;
  readonly #children = new Set<ChildProcess>();

  constructor(name: string, number: number, folder: string, { isApart, hasSmallDisk, hasOwnClock }: MachinePlan) {
    this.name = name;
    this.front = `${NETWORKS.front}.${number}`;
    this.back = `${NETWORKS.back}.${number}`;
    this.#isApart = isApart;
    this.#hasOwnClock = hasOwnClock;
    this.#log = `${folder}/${name}.log`;
    const disk = hasSmallDisk ? SmallDisk.mount(DISK_MEGABYTES) : null;
    if (disk instanceof SmallDisk) this.#disk = disk;
    this.folder = this.#disk?.folder ?? `${folder}/${name}`;
    fs.mkdirSync(this.folder, { recursive: true });
    this.#clock = `${folder}/${name}.clock`;
    this.setClock("+0");
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

  /** Sets the clock of its programs, which notice within a second. @param offset from the right time, such as "+10m" */
  setClock(offset: string): void {
    // A reader must not find the file empty.
    fs.writeFileSync(`${this.#clock}.new`, offset);
    fs.renameSync(`${this.#clock}.new`, this.#clock);
  }

  /** Environment of a program that uses its clock; empty where clocks can't be set. */
  get clockEnvironment(): NodeJS.ProcessEnv {
    const faked = this.#hasOwnClock ? fakedTime() : null;
    return faked ? { ...faked, FAKETIME_TIMESTAMP_FILE: this.#clock, FAKETIME_CACHE_DURATION: "1" } : {};
  }

  /** Disconnects it from a network without closing connections. */
  unplug(network: Network): void {
    ip(`link set ${network}-${this.name} nomaster`);
  }

  plug(network: Network): void {
    ip(`link set ${network}-${this.name} master ${network}`);
  }

  /** Returns the command prefix that runs a command on this machine. */
  get through(): readonly string[] {
    return this.#isApart ? ["nsenter", `--net=${NAMES}/${this.name}`] : [];
  }

  /** Starts a program on this machine, optionally as another user. */
  spawn(command: readonly string[], { uid, gid }: { readonly uid?: number; readonly gid?: number } = {}): void {
    const asUser = uid === undefined ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
    const log = fs.openSync(this.#log, "a");
    const [program = "", ...rest] = [...this.through, ...asUser, ...command];
    const child = spawn(program, rest, { stdio: ["ignore", log, log], cwd: "/" });
    fs.closeSync(log);
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
  }

  /** Kills all its programs at once, like a power cut. @param orphans process IDs that it did not start itself */
  async kill(orphans: readonly number[] = []): Promise<void> {
    const own = [...this.#children].flatMap(({ pid }) => pid ?? []);
    const listed = this.#isApart ? execFileSync("ip", ["netns", "pids", this.name], { encoding: "utf8" }) : "";
    for (const pid of [...own, ...orphans, ...listed.split("\n").filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // The process had already ended.
      }
    }
    while (this.#children.size > 0) await sleep(10);
  }

  /** Keeps its disk full for a while. */
  async fillFor(milliseconds: number): Promise<void> {
    for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(FILL_EVERY_MS)) this.#disk?.fill();
    this.#disk?.free();
  }
}

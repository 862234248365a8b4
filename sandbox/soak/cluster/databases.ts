import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostgres, findProgram } from "../../testing/debian.ts";
import { postgresIdentity } from "../../testing/postgres.ts";
import { ViolatedGuaranteeError } from "../ledger.ts";
import { BALANCER, type Machine } from "./machines.ts";

const PORT = 5432;
const ETCD_PORT = 2379;
const PATRONI_PORT = 8008;
const MAX_WAIT_MS = 300_000;
/** Time until a failed server is rebuilt from the primary, in milliseconds, as an operator would. */
const BROKEN_MS = 90_000;

/** The balancer, which connects to the current primary. */
export const PRIMARY = { host: BALANCER.back, port: PORT };

/** HAProxy's configuration for the database, after that for the nodes. */
export const databaseBalancer = (members: readonly Machine[]): string => `
defaults database
  mode tcp
  timeout connect 1s
  timeout check 2s
  timeout client 1h
  timeout server 1h

listen database
  bind ${BALANCER.back}:${PORT}
  option httpchk OPTIONS /primary
  default-server check port ${PATRONI_PORT} inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, back }) => `  server ${name} ${back}:${PORT}`).join("\n")}
`;

interface Member {
  readonly name: string;
  readonly role: "leader" | "sync_standby" | "replica";
  readonly state: string;
}

/** Makes a folder of PostgreSQL's programs, of which the server alone uses its machine's clock: Patroni measures with its own. */
const makePrograms = ({ folder, clockEnvironment }: Machine): string => {
  const [from, to] = [findPostgres() ?? "", path.join(folder, "bin")];
  fs.rmSync(to, { recursive: true, force: true });
  fs.mkdirSync(to);
  for (const program of fs.readdirSync(from)) fs.symlinkSync(path.join(from, program), path.join(to, program));
  const clock = Object.entries(clockEnvironment).map(([name, value]) => `${name}='${value}'`);
  const server = path.join(to, "postgres");
  fs.rmSync(server);
  fs.writeFileSync(server, `#!/bin/sh\n${["exec env", ...clock, path.join(from, "postgres")].join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  return to;
};

/** Three PostgreSQL servers managed by Patroni and etcd: one primary, and a synchronous standby. */
export class Databases {
  readonly members: readonly Machine[];
  readonly #etcd: Machine;
  /** Number of servers that had to be rebuilt. */
  madeAgain = 0;

  constructor(etcd: Machine, members: readonly Machine[]) {
    this.#etcd = etcd;
    this.members = members;
  }

  async start(): Promise<void> {
    const at = `http://${this.#etcd.back}:${ETCD_PORT}`;
    const listening = ["--listen-client-urls", at, "--advertise-client-urls", at];
    const peers = ["--listen-peer-urls", `http://${this.#etcd.back}:2380`];
    const data = ["--data-dir", path.join(this.#etcd.folder, "data")];
    this.#etcd.spawn([findProgram("etcd") ?? "", ...data, ...listening, ...peers]);
    for (const member of this.members) this.startMember(member);
    await this.healthy();
  }

  startMember(machine: Machine): void {
    const { uid, gid } = postgresIdentity();
    const own = (file: string): string => path.join(machine.folder, file);
    if (uid !== undefined && gid !== undefined) fs.chownSync(machine.folder, uid, gid);
    const trusted = ["host all all 127.0.0.0/8 trust", "host replication all 127.0.0.0/8 trust"];
    const parameters = {
      ...{ max_connections: 100, shared_buffers: "64MB", max_wal_size: "256MB", wal_keep_size: "512MB" },
      ...{ unix_socket_directories: "", log_statement: "none" },
    };
    const configuration = {
      ...{ scope: "sandbox", name: machine.name, etcd3: { host: `${this.#etcd.back}:${ETCD_PORT}` } },
      restapi: { listen: `${machine.back}:${PATRONI_PORT}`, connect_address: `${machine.back}:${PATRONI_PORT}` },
      bootstrap: {
        dcs: {
          ...{ ttl: 20, loop_wait: 5, retry_timeout: 5, synchronous_mode: true, synchronous_mode_strict: true },
          postgresql: { use_pg_rewind: true, parameters },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C" }, { auth: "trust" }, "data-checksums"],
      },
      postgresql: {
        ...{ listen: `${machine.back}:${PORT}`, connect_address: `${machine.back}:${PORT}` },
        ...{ data_dir: own("data"), bin_dir: makePrograms(machine), pgpass: own("pgpass"), pg_hba: trusted },
        authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
        // By default, copying the leader waits minutes for a spread checkpoint, longer than a standby may be missing.
        basebackup: { checkpoint: "fast" },
        ...{ remove_data_directory_on_rewind_failure: true, remove_data_directory_on_diverged_timelines: true },
      },
    };
    fs.writeFileSync(own("patroni.json"), JSON.stringify(configuration));
    machine.spawn([findProgram("patroni") ?? "", own("patroni.json")], postgresIdentity());
  }

  /** Patroni starts the server itself, so it isn't our child process and must be killed separately. */
  async kill(machine: Machine): Promise<void> {
    const file = path.join(machine.folder, "data", "postmaster.pid");
    const server = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8").split("\n")[0]) : 0;
    await machine.kill(server > 0 ? [server] : []);
  }

  /** Sets the clock of every server, so that a failover sets it no further. */
  setClock(offset: string): void {
    for (const machine of this.members) machine.setClock(offset);
  }

  async end(): Promise<void> {
    await Promise.all([...this.members.map((member) => this.kill(member)), this.#etcd.kill()]);
  }

  /** Returns the machines in a role, according to any member that responds. */
  async of(role: Member["role"]): Promise<Machine[]> {
    const known = await this.#known();
    const names = known.filter((member) => member.role === role).map(({ name }) => name);
    return this.members.filter(({ name }) => names.includes(name));
  }

  async #known(): Promise<readonly Member[]> {
    for (const { back } of this.members) {
      try {
        const response = await fetch(`http://${back}:${PATRONI_PORT}/cluster`, { signal: AbortSignal.timeout(2_000) });
        const { members } = (await response.json()) as { readonly members: readonly Member[] };
        if (members.some(({ role }) => role === "leader")) return members;
      } catch {
        // Try the next member.
      }
    }
    return [];
  }

  /**
   * Resolves when there is a primary, a synchronous standby and a replica. @throws ViolatedGuaranteeError after five
   * minutes
   */
  async healthy(): Promise<void> {
    const from = Date.now();
    for (let broken = from; ; await sleep(250)) {
      const known = await this.#known();
      const ill = known.filter(({ state }) => state !== "running" && state !== "streaming");
      const roles = known.map(({ role }) => role).sort();
      if (ill.length === 0 && roles.join() === "leader,replica,sync_standby") return;
      if (Date.now() - from > MAX_WAIT_MS)
        throw new ViolatedGuaranteeError(`The database is not whole again: ${JSON.stringify(known)}.`);
      if (Date.now() - broken < BROKEN_MS) continue;
      broken = Date.now();
      const replicas = ill.filter(({ role }) => role === "replica").map(({ name }) => name);
      for (const machine of this.members.filter(({ name }) => replicas.includes(name))) await this.#makeAgain(machine);
    }
  }

  async #makeAgain(machine: Machine): Promise<void> {
    this.madeAgain += 1;
    await this.kill(machine);
    fs.rmSync(path.join(machine.folder, "data"), { recursive: true, force: true });
    this.startMember(machine);
  }
}

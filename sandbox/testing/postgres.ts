import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { findPostgres, missingProgram } from "./debian.ts";

/** The user that runs a server: PostgreSQL refuses root, so Debian's own user for it. */
export const postgresIdentity = (): { readonly uid?: number; readonly gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const line = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith("postgres:"));
  const [, , uid, gid] = (line ?? "postgres:x:65534:65534").split(":");
  return { uid: Number(uid), gid: Number(gid) };
};

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The reason for skipping a test. */
export const NO_POSTGRES = missingProgram("PostgreSQL");

/** A PostgreSQL server in a temporary folder, with syncs enabled as in production. */
export class TestPostgres {
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #env: NodeJS.ProcessEnv;
  #server: ChildProcess | null = null;

  private constructor(bin: string, folder: string, port: number, env: NodeJS.ProcessEnv) {
    this.#bin = bin;
    this.#folder = folder;
    this.#port = port;
    this.#env = env;
    this.url = `postgres://sandbox@127.0.0.1:${port}/postgres`;
  }

  /** Returns null when PostgreSQL is not installed. @param env its environment */
  static async start(env: NodeJS.ProcessEnv = {}): Promise<TestPostgres | null> {
    const bin = findPostgres();
    if (bin === null) return null;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "integrations-postgres-"));
    const { uid, gid } = postgresIdentity();
    if (uid !== undefined && gid !== undefined) fs.chownSync(folder, uid, gid);
    const data = path.join(folder, "data");
    const arguments_ = ["-D", data, "-U", "sandbox", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];
    execFileSync(path.join(bin, "initdb"), arguments_, {
      ...postgresIdentity(),
      stdio: "ignore",
      env: {},
      cwd: folder,
    });
    const postgres = new TestPostgres(bin, folder, await freePort(), env);
    await postgres.run();
    return postgres;
  }

  /** Starts or restarts it. */
  async run(): Promise<void> {
    const settings = {
      port: this.#port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: 80,
    };
    const small = { shared_buffers: "16MB", fsync: "on", synchronous_commit: "on", autovacuum: "off" };
    const given = Object.entries({ ...settings, ...small }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#server = spawn(path.join(this.#bin, "postgres"), ["-D", path.join(this.#folder, "data"), ...given], {
      ...postgresIdentity(),
      ...{ stdio: "ignore", env: this.#env, cwd: this.#folder },
    });
    for (let tries = 0; !(await this.#answers()); tries += 1) {
      if (tries === 1_000 || this.#server.exitCode !== null) throw new Error("PostgreSQL did not start");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  #answers(): Promise<boolean> {
    const ready = ["-h", "127.0.0.1", "-p", String(this.#port), "-q"];
    return new Promise((resolve) => {
      spawn(path.join(this.#bin, "pg_isready"), ready, { stdio: "ignore" }).on("exit", (code) => resolve(code === 0));
    });
  }

  get server(): ChildProcess {
    if (!this.#server) throw new Error("PostgreSQL does not run");
    return this.#server;
  }

  /** Creates a database with its tables in another, empty folder. @returns its address */
  databaseIn(folder: string): string {
    const { uid = 0, gid = 0 } = postgresIdentity();
    fs.chownSync(folder, uid, gid);
    const make = [`CREATE TABLESPACE other LOCATION '${folder}'`, "CREATE DATABASE other TABLESPACE other"];
    this.tool("psql", ...make.flatMap((command) => ["-c", command]), this.url);
    return this.url.replace(/postgres$/, "other");
  }

  /** Runs one of PostgreSQL's programs on it. */
  tool(program: string, ...args: readonly string[]): void {
    execFileSync(path.join(this.#bin, program), [...args], { stdio: "pipe" });
  }

  async stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    const { server } = this;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  }

  /** Stops it and deletes its data. */
  async end(): Promise<void> {
    if (this.#server?.exitCode === null && this.#server.signalCode === null) await this.stop("SIGQUIT");
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Where Debian puts the programs of PostgreSQL's versions, newest last. */
const POSTGRES = "/usr/lib/postgresql";

const onPath = (program: string): string | null =>
  ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"]
    .map((folder) => path.join(folder, program))
    .find((file) => fs.existsSync(file)) ?? null;

const postgresFolder = (): string | null => {
  const versions = fs.existsSync(POSTGRES) ? fs.readdirSync(POSTGRES) : [];
  const folders = versions.map((version) => path.join(POSTGRES, version, "bin"));
  const found = folders.filter((folder) => fs.existsSync(path.join(folder, "initdb"))).at(-1);
  const initdb = onPath("initdb");
  return found ?? (initdb && path.dirname(initdb));
};

const mayInstall = (): boolean => process.getuid?.() === 0 && fs.existsSync("/etc/debian_version");

/** Installs a package without starting what is in it. */
const install = (name: string): void => {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  try {
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { env, stdio: "ignore" });
  } catch {
    // The reason is said where the test is skipped.
  }
};

const found = (look: () => string | null, name: string): string | null => {
  if (look() === null && mayInstall()) install(name);
  return look();
};

/** The folder with `initdb` and `postgres`, installed first where that can be done without asking; null: there is none. */
export const findPostgres = (): string | null => found(postgresFolder, "postgresql");

/** The same of a program in a package of its own name, or another. */
export const findProgram = (program: string, name = program): string | null => found(() => onPath(program), name);

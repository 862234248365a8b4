import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeRunFolders } from "../../bench/run-folders.ts";
import { environment } from "../../config.ts";
import { temporaryFolder } from "../../testing/harness.ts";
import type { ClusterSoakRequest } from "./inside.ts";
import { namespacedCommand } from "./machines.ts";

/** Runs the soak in a process whose programs and mounts end with it. @returns its status */
export const soakCluster = async (
  plan: Omit<ClusterSoakRequest, "folder" | "service" | "isApart">,
): Promise<number> => {
  const [run, folder] = [makeRunFolders(), temporaryFolder()];
  // The database's user needs access to its data in this folder.
  fs.chmodSync(folder, 0o755);
  const apart = namespacedCommand();
  if (!apart)
    process.stderr.write(
      "Machines can't be apart here, which takes root and namespaces: they are addresses of this one. No node is cut off from a network, and no disk is full.\n",
    );
  const given: ClusterSoakRequest = { ...plan, folder, service: run.service, isApart: apart !== null };
  const inside = [process.execPath, path.join(import.meta.dirname, "inside.ts"), JSON.stringify(given)];
  const [program = "", ...rest] = [...(apart ?? []), ...inside];
  // Closing its standard input tells it to end.
  const child = spawn(program, rest, {
    ...{ stdio: ["pipe", "inherit", "inherit"], env: { ...environment(), TMPDIR: folder } },
  });
  let stopped = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      stopped = 128 + os.constants.signals[signal];
      child.stdin?.end();
    });
  const status = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
  run.remove();
  if (status === 1 && stopped === 0)
    process.stderr.write(`What etcd, Patroni and PostgreSQL said is kept in ${folder}.\n`);
  else fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return stopped === 0 ? status : stopped;
};

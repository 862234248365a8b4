import { execFileSync } from "node:child_process";
import fs from "node:fs";

/** Megabytes of memory a process holds: what the system counts, shared pages included. */
export const residentMegabytes = (pid: number): number => {
  const kilobytes =
    process.platform === "linux"
      ? /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
};

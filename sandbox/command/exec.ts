import { type ChildProcess, spawn } from "node:child_process";
import os from "node:os";
import spawnFound from "cross-spawn";
import { environment, type ServiceConfig } from "../config.ts";
import { fixedCredentials } from "../contract/demo-values.ts";
import { COMMAND } from "../contract/package-name.ts";
import { fitHelp } from "./program.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const HELP = `Usage: ${COMMAND} exec -- COMMAND [ARGUMENT...]

Starts a service on a free port that keeps nothing, runs the command beside it and exits with the command's status.

The command finds in its environment:
  SANDBOX_BASE_URL                 the service's address
  SANDBOX_CONTROL_TOKEN            bearer token for the control plane
  SANDBOX_REPAIRER_API_KEY         and SANDBOX_REPAIRER_INTEGRATION_ID
  SANDBOX_REPAIRER_WEBHOOK_SECRET  signs the notifications of the buyer's integration
  SANDBOX_SUPPLIER_API_KEY         and SANDBOX_SUPPLIER_INTEGRATION_ID
  SANDBOX_SUPPLIER_WEBHOOK_SECRET  signs the notifications of the supplier's integration
  SANDBOX_CLIENT_ID                and SANDBOX_CLIENT_SECRET

Examples:
  $ ${COMMAND} exec -- npm test
  $ ${COMMAND} exec -- sandbox run my.json
`;

/** Ends a command with all that it started. */
interface Ending {
  end(): void;
  /** Call when the command has ended by itself. */
  leave(): void;
}

/**
 * Prepares the end of a command that this process can no longer signal. A shell waits for the end of a pipe that only
 * this process keeps open, so a killed process ends its command too. Windows has no such shell, only {@link Ending.end}.
 */
const prepareEnding = (command: ChildProcess): Ending => {
  const { pid } = command;
  if (pid === undefined) return { end: () => {}, leave: () => {} };
  if (process.platform === "win32")
    return { end: () => spawn("taskkill", ["/pid", `${pid}`, "/t", "/f"], { stdio: "ignore" }), leave: () => {} };
  // Without `ps`, as in some containers, the program must end its own children.
  const script = `
    end() {
      for one in $(ps -A -o pid= -o ppid= 2>/dev/null | awk -v of="$1" '$2 == of { print $1 }'); do end "$one"; done
      kill "$1"
    }
    read -r _ <&3
    end "$0"`;
  const shell = spawn("sh", ["-c", script, `${pid}`], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  // Without a shell, the program still runs.
  shell.once("error", () => {});
  const pipe = shell.stdio[3];
  return {
    end: () => (shell.pid === undefined ? command.kill() : pipe?.destroy()),
    leave: () => shell.kill("SIGKILL"),
  };
};

/**
 * `sandbox exec -- COMMAND`: runs a command beside its own in-memory service on a free port.
 *
 * @param config creates the service's configuration
 * @returns the command's exit status; 127 when it cannot start
 */
export const exec = async (argv: readonly string[], config: () => ServiceConfig): Promise<number> => {
  if (argv[0] === "--help" || argv[0] === "-h") {
    process.stdout.write(fitHelp(HELP));
    return 0;
  }
  if (argv[0] !== "--" && argv[0]?.startsWith("-")) {
    process.stderr.write(`error: unknown option ${argv[0]}; write -- before the command to run\n`);
    return 2;
  }
  const [program, ...args] = argv[0] === "--" ? argv.slice(1) : argv;
  if (program === undefined) {
    process.stderr.write(`error: name the command to run: ${COMMAND} exec -- npm test\n`);
    return 2;
  }
  const { startService } = await import("../service.ts");
  const service = await startService(config());
  const { base_url, control_token, credentials, clients } = service.ready;
  // Without an installed program of this name, run this one.
  const own = program === "sandbox" ? [...process.execArgv, process.argv[1] ?? ""] : null;
  // On Windows, npm and most of its commands are scripts, which only a shell starts.
  const child = spawnFound(own ? process.execPath : program, [...(own ?? []), ...args], {
    stdio: "inherit",
    env: {
      ...environment(),
      SANDBOX_BASE_URL: base_url,
      SANDBOX_CONTROL_TOKEN: control_token,
      SANDBOX_REPAIRER_API_KEY: credentials?.repairer.api_key,
      SANDBOX_REPAIRER_INTEGRATION_ID: credentials?.repairer.integration_id,
      SANDBOX_REPAIRER_WEBHOOK_SECRET: fixedCredentials.repairer.webhook_secret,
      SANDBOX_SUPPLIER_API_KEY: credentials?.supplier.api_key,
      SANDBOX_SUPPLIER_INTEGRATION_ID: credentials?.supplier.integration_id,
      SANDBOX_SUPPLIER_WEBHOOK_SECRET: fixedCredentials.supplier.webhook_secret,
      SANDBOX_CLIENT_ID: clients?.demo.client_id,
      SANDBOX_CLIENT_SECRET: clients?.demo.client_secret,
    },
  });
  // The command decides when to end, so signals are forwarded. On Windows, the console has sent it its own.
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (process.platform !== "win32") child.kill(signal);
    });
  const ending = prepareEnding(child);
  process.once("disconnect", ending.end);
  const status = await new Promise<number>((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const problem =
        error.code === "ENOENT"
          ? `There is no program ${program}. Check its name and PATH.`
          : `${program} can’t be started (${error.code ?? error.message}).`;
      process.stderr.write(`error: ${problem}\n`);
      resolve(127);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
  });
  process.off("disconnect", ending.end);
  ending.leave();
  await service.stop();
  return status;
};

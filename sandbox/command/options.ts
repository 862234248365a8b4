import os from "node:os";
import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  DEFAULT_PORT,
  DEPLOYED_RETENTION_MEBIBYTES,
  defaultQuotas,
  eachQuota,
  type Quotas,
  quotaNames,
  quotaOptions,
  type ServiceConfig,
} from "../config.ts";
import { nearestNames } from "../contract/nearest-names.ts";
import { COMMAND } from "../contract/package-name.ts";
import { defaultDataFolder } from "../host/data-folder.ts";
import { VERSION } from "../host/version.ts";
import { isAddressRange } from "../rules/webhooks/public-address.ts";
import { readCredentialsFile } from "./credentials-file.ts";
import { parseOptions, wholeNumber } from "./environment.ts";
import { readPeopleFile } from "./people-file.ts";
import { newCommand } from "./program.ts";

/** Options from the command line and the environment. */
export interface ServeOptions {
  readonly config: ServiceConfig;
  /** A second destination of the ready line, or null. */
  readonly readyFile: string | null;
  /** If another process serves the data folder: print its ready line and exit with 0, instead of failing. */
  readonly join: boolean;
  /** Prints the terminal's lines after the ready line, for `npm start` to pass on. */
  readonly greet: boolean;
}

const minutes = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 525_600)
    throw new InvalidArgumentError("It must be a number of minutes greater than 0.");
  return value;
};

const publicUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" || url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new InvalidArgumentError(
      "It must be an https address without a path, for example https://sandbox.example.com.",
    );
  }
  return url.origin;
};

/** Parses the address of the nodes' shared database. @throws InvalidArgumentError */
export const postgresUrl = (text: string): string => {
  // An @ after the host would make a part of the password look like a name.
  if (!/^postgres(ql)?:\/\/[^/?#]*([/?][^@]*)?$/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError(
      "It must be an address such as postgres://sandbox:password@db.example.com/sandbox. In the password write %2F for /, %3F for ?, %23 for # and %40 for @.",
    );
  return text;
};

/** Adds to the ranges given before; a variable separates them with commas. */
const addressRanges = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const given = text.split(",").map((range) => range.trim());
  const wrong = given.find((range) => !isAddressRange(range));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${wrong || "An empty text"} is not a range such as 10.1.0.0/16.`);
  return [...earlier, ...given];
};

/** Adds to the hosts given before; a variable separates them with commas. */
const hosts = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const given = text.split(",").map((host) => host.trim());
  const wrong = given.find((host) => !/^(\[[\da-f:.]+\]|[\w.-]+)$/i.test(host) || !URL.canParse(`http://${host}/`));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${wrong || "An empty text"} is not a host name or address without a port.`);
  return [...earlier, ...given.map((host) => new URL(`http://${host}/`).hostname)];
};

/** The commands beside serving, in the order of the help. */
export const SUBCOMMANDS: readonly (readonly [usage: string, description: string])[] = [
  ["activity [--since 1h] [--world W]", "print what went wrong in all worlds of a running service, grouped by cause"],
  [
    "exec -- COMMAND",
    "run COMMAND beside a temporary service, with its address, keys and clients in the environment; exits with the command's status",
  ],
  ["help [COMMAND]", "print this help, or the help of a command"],
  ["listen --forward-to URL", "receive a world's webhooks on this machine and report your server's responses"],
  ["nodes", "list the nodes of a cluster"],
  ["nodes drain ID", "move a node's worlds to the other nodes"],
  [
    "run FILE [--url U]",
    "run a scenario or reproduction file in a new world; exit status 0 if all steps passed, 1 if one failed, 2 for an invalid file",
  ],
  ["tail [--follow] [--world W]", "print calls and deliveries of a running service, one line each"],
  ["token create|invite|list|revoke", "manage tokens that open one world of a running service"],
  [
    "token rotate [--data DIR]",
    "replace the control token of a stopped service, and the key for sign-ins and evidence, which gets a new fingerprint",
  ],
  ["verify-evidence FILE [--key K]", "check a signed readiness report"],
  ["wait [--url U] [--timeout S]", "wait for a service; exit status 0 when it is ready, 1 on timeout"],
];

/** Reads `help run` as `run --help`. */
export const helpAsOption = (argv: readonly string[]): readonly string[] =>
  argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;

const HELP = `
Examples:
  $ ${COMMAND} --port 0 --memory           a free port, nothing kept; for tests
  $ ${COMMAND} --data ./sandbox-data       keeps its worlds in your folder
  $ ${COMMAND} --ready-file ready.json &   a script waits for the file, then reads it

When ready, the service prints one line of JSON to standard output: the address, the control token and the demo
credentials. The log goes to standard error. SIGINT or SIGTERM stops the service cleanly. The explorer is at its address,
and the help at /help/ of the same address.`;

/** Options by their names in code: those that repeat, those of a word, those with a text or a number, and flags. */
type ParsedOptions = Pick<ServiceConfig, "host" | "port" | "mode" | "log"> &
  Partial<
    Readonly<
      Record<"allowHost" | "receiverHost" | "denyRange" | "trustedProxy", readonly string[]> &
        Record<"deliveries" | "mcp" | "metrics", "on" | "off"> &
        Record<"data" | "cluster" | "publicUrl" | "credentials" | "people" | "readyFile", string> &
        Record<"rateLimit", number> &
        Record<"memory" | "anyPort" | "join" | "greet", boolean>
    >
  > & { readonly idleReset: number };

const notEmpty = (text: string): string => {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
};

/** An option with a variable of the same name: `--idle-reset` is SANDBOX_IDLE_RESET. */
const named = <T>(
  flags: string,
  description: string,
  parse?: (text: string, earlier: T) => T,
  usual?: string | number,
): Option => {
  const option = new Option(flags, description);
  option.env(`SANDBOX_${option.name().replaceAll("-", "_").toUpperCase()}`);
  if (parse) option.argParser(parse);
  else if (option.required) option.argParser(notEmpty);
  return usual === undefined ? option : option.default(usual);
};

/** The default of the retention depends on the mode, so the option has none. */
const quotaOption = (name: keyof Quotas): Option => {
  const { option, about, unit, usual, most } = quotaOptions[name];
  const isRetention = name === "retentionMebibytes";
  const value = unit === "" ? "n" : "mebibytes";
  const inUnit = unit === "" ? "" : `, in ${unit}`;
  const defaults = isRetention ? ` (default: ${usual}; ${DEPLOYED_RETENTION_MEBIBYTES} when deployed)` : "";
  const description = `maximum ${about}${inUnit}${defaults}`;
  return named(`--${option} <${value}>`, description, wholeNumber(1, most), isRetention ? undefined : usual);
};

export const serveOptions: readonly Option[] = [
  named("--port <n>", "port to listen on (0: any free port)", wholeNumber(0, 65_535), DEFAULT_PORT),
  named("--host <address>", "interface to listen on", notEmpty, "127.0.0.1"),
  named("--data <dir>", "data folder (default: the platform's application data folder)", notEmpty).conflicts("memory"),
  named("--memory", "store data in memory only; nothing is written to disk"),
  named(
    "--cluster <url>",
    "PostgreSQL database (postgres://…) of the nodes that serve the same worlds; it stores everything, the data folder nothing",
    postgresUrl,
  ),
  named("--mode <mode>", "local, or deployed for access over https").choices(["local", "deployed"]).default("local"),
  named("--public-url <url>", "public https address; required when deployed", publicUrl),
  named("--allow-host <name>", "host name the service is also called by, such as a container's; repeatable", hosts),
  named(
    "--receiver-host <name>",
    "host a local service also sends notifications to, such as host.docker.internal; repeatable",
    hosts,
  ),
  named("--credentials <file>", "JSON file with your own keys and clients; required when deployed"),
  named("--deliveries <on|off>", "off: notifications are recorded but not sent").choices(["on", "off"]).default("on"),
  named(
    "--deny-range <range>",
    "address range a deployed sandbox never sends to, such as 10.1.0.0/16; repeatable",
    addressRanges,
  ),
  named("--mcp <on|off>", "MCP endpoint at /__sandbox/mcp (default: on; off when deployed)").choices(["on", "off"]),
  named("--metrics <on|off>", "OpenMetrics at /metrics (default: off; on when deployed)").choices(["on", "off"]),
  named(
    "--rate-limit <n>",
    "maximum calls per minute per key, and per address without one (default: no limit)",
    wholeNumber(1, 1_000_000),
  ),
  named(
    "--trusted-proxy <range>",
    "address range of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8; repeatable",
    addressRanges,
  ),
  named(
    "--people <file>",
    "JSON file that says who may sign in at a trusted proxy, and what that opens; for deployed mode",
  ),
  named("--idle-reset <minutes>", "reset idle worlds after this many minutes", minutes, 60),
  ...quotaNames.map(quotaOption),
  named("--ready-file <file>", "also write the ready line to this file; removed on exit"),
  named("--log <format>", "log format on standard error").choices(["pretty", "json", "silent"]).default("pretty"),
  new Option("--any-port", "take any free port when the wanted one is taken").hideHelp(),
  new Option("--join", "when the data folder is served already, print its ready line").hideHelp(),
  new Option("--greet", "print lines for a person after the ready line").hideHelp(),
];

const serveCommand = (): Command => {
  const about = "The integrations sandbox without a window, for CI, servers and scripts.";
  const command = newCommand(null, about, HELP, SUBCOMMANDS).version(VERSION, "-v, --version", "print the version");
  for (const one of serveOptions) command.addOption(one);
  return command;
};

/**
 * Reads the command line and the environment.
 *
 * @param env default: this process's
 * @param folders locations of the built explorer and the seed's pictures
 * @throws CommanderError for a bad option, after printing the reason
 */
export const readOptions = (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  folders: Pick<ServiceConfig, "explorerFolder" | "mediaFolder">,
): ServeOptions => {
  const command = serveCommand();
  const [first] = argv;
  if (first !== undefined && !first.startsWith("-")) {
    const names = [...new Set(SUBCOMMANDS.map(([usage]) => usage.split(" ", 1)[0] ?? ""))];
    const [meant = names.find((name) => name.charAt(0) === first.charAt(0))] = nearestNames(first, names);
    const instead = meant === undefined ? `Commands: ${names.join(", ")}.` : `Did you mean ${meant}?`;
    command.error(`error: unknown command ${first}. ${instead}`);
  }
  const given = parseOptions<ParsedOptions>(command, argv, env);
  return {
    config: {
      host: given.host,
      port: given.port,
      whenPortTaken: given.anyPort ? "any" : "fail",
      dataFolder:
        given.memory || given.cluster !== undefined
          ? null
          : (given.data ?? defaultDataFolder(process.platform, env, os.homedir())),
      ...(given.cluster === undefined ? {} : { cluster: given.cluster }),
      mode: given.mode,
      publicUrl: given.publicUrl ?? null,
      ...(given.allowHost === undefined ? {} : { allowHosts: given.allowHost }),
      ...(given.receiverHost === undefined ? {} : { receiverHosts: given.receiverHost }),
      credentials: given.credentials === undefined ? null : readCredentialsFile(given.credentials),
      deliveries: given.deliveries === "on",
      ...(given.denyRange === undefined ? {} : { denyRanges: given.denyRange }),
      mcp: (given.mcp ?? (given.mode === "local" ? "on" : "off")) === "on",
      ...(given.rateLimit === undefined ? {} : { callsPerMinute: given.rateLimit }),
      ...(given.trustedProxy === undefined ? {} : { trustedProxies: given.trustedProxy }),
      ...(given.people === undefined
        ? {}
        : { people: readPeopleFile(given.people), peopleFile: path.resolve(given.people) }),
      metrics: (given.metrics ?? (given.mode === "local" ? "off" : "on")) === "on",
      idleResetMinutes: given.idleReset,
      quotas: eachQuota(
        (name) =>
          command.getOptionValue(quotaOption(name).attributeName()) ??
          (given.mode === "deployed" ? DEPLOYED_RETENTION_MEBIBYTES : defaultQuotas[name]),
      ),
      log: given.log,
      ...(command.getOptionValueSource("port") === "default" ? {} : { isPortGiven: true }),
      ...(given.credentials === undefined ? {} : { credentialsFile: path.resolve(given.credentials) }),
      ...folders,
    },
    readyFile: given.readyFile === undefined ? null : path.resolve(given.readyFile),
    join: given.join === true,
    greet: given.greet === true,
  };
};

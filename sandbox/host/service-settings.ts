import fs from "node:fs";
import path from "node:path";
import { quotaNames, quotaOptions, type ServiceConfig } from "../config.ts";
import type { Port, StartSetting } from "../contract/control/service-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { shownDatabase } from "../contract/text.ts";
import type { DataFolder } from "./data-folder.ts";

/** Ports above 1023 that browsers block, from the Fetch standard. The explorer couldn't be opened there. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Checks whether browsers open pages on a port. */
const isPortForPages = (port: number): boolean => !BAD_PORTS.has(port);

const PORT_SETTING = "port";

const onOff = (on: boolean): string => (on ? "on" : "off");

const row = (option: string, name: string, value: string | number | null): StartSetting => ({
  option: `--${option}`,
  name,
  value: value === null ? null : String(value),
});

/** All start options with their values or defaults. */
const listOptions = (config: ServiceConfig, port: number): StartSetting[] => [
  row("port", "Port", port),
  row("host", "Interface", config.host),
  row("data", "Data folder", config.dataFolder),
  row("cluster", "Database of the nodes", config.cluster === undefined ? null : shownDatabase(config.cluster)),
  row("mode", "Mode", config.mode),
  row("public-url", "Public address", config.publicUrl),
  row("allow-host", "Also called by", config.allowHosts?.join(", ") ?? null),
  row("receiver-host", "Also sends to", config.receiverHosts?.join(", ") ?? null),
  row("credentials", "Credentials file", config.credentialsFile ?? null),
  row("deliveries", "Deliveries", onOff(config.deliveries)),
  row("deny-range", "Blocked address ranges", config.denyRanges?.join(", ") ?? null),
  row("mcp", "MCP endpoint", onOff(config.mcp)),
  row("metrics", "Metrics endpoint", onOff(config.metrics === true)),
  row("rate-limit", "Maximum calls per minute and key", config.callsPerMinute ?? null),
  row("trusted-proxy", "Trusted proxies", config.trustedProxies?.join(", ") ?? null),
  row("people", "People file", config.peopleFile ?? null),
  row("idle-reset", "Idle reset", `${config.idleResetMinutes} min`),
  ...quotaNames.map((limit) => {
    const { option, name, unit } = quotaOptions[limit];
    return row(option, `Maximum ${name}`, `${config.quotas[limit]} ${unit}`.trim());
  }),
  row("log", "Log on standard error", config.log),
];

/** Size of a folder's files on disk. Files deleted meanwhile count as nothing. */
const measureFolder = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await fs.promises.readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const stat = await fs.promises.stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    bytes += stat?.size ?? 0;
  }
  return bytes;
};

/** Options of this start, and the port stored for the next one. */
export class StartSettings {
  readonly #config: ServiceConfig;
  readonly #folder: DataFolder;
  /** Scripts and servers rely on a fixed port, so none is stored for them. */
  readonly #isPortFixed: boolean;

  constructor(config: ServiceConfig, folder: DataFolder) {
    this.#config = config;
    this.#folder = folder;
    this.#isPortFixed = config.whenPortTaken === "fail" || config.isPortGiven === true || folder.temporary;
  }

  #keptPort(): number | null {
    const storedPort = this.#isPortFixed ? undefined : this.#folder.database.setting(PORT_SETTING);
    return storedPort === undefined ? null : Number(storedPort);
  }

  port(): number {
    return this.#keptPort() ?? this.#config.port;
  }

  about(now: number): Port {
    return { now, next_start: this.#keptPort(), fixed: this.#isPortFixed };
  }

  /** Stores a port for the next start; null clears it. */
  keepPort(port: number | null, now: number): Port | Refusal {
    if (this.#isPortFixed) return refuse("unprocessable", "/port was set at the start, so it can’t be changed here");
    if (port !== null && !isPortForPages(port))
      return refuse("bad_request", `browsers block /port ${port}; choose another`);
    if (port === null) this.clear();
    else this.#folder.database.setSetting(PORT_SETTING, String(port));
    return this.about(now);
  }

  clear(): void {
    this.#folder.database.deleteSetting(PORT_SETTING);
  }

  rows(now: number): StartSetting[] {
    return listOptions(this.#config, now);
  }

  async dataFolder() {
    const { folder, temporary } = this.#folder;
    return { path: temporary ? null : folder, bytes: await measureFolder(folder) };
  }
}

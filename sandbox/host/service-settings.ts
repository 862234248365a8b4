import fs from "node:fs";
import path from "node:path";
import type { ServiceConfig } from "../config.ts";
import type {
  dataParts,
  Port,
  SettingOrigin,
  StartOption,
  StartSetting,
} from "../contract/control/service-operations.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { isPortForPages } from "../rules/usable-port.ts";
import type { DataFolder } from "./data-folder.ts";

const KEPT_PORT = "port";

const onOff = (on: boolean): string => (on ? "on" : "off");

const valuesOf = (config: ServiceConfig, port: number): Readonly<Record<StartOption, string | null>> => ({
  port: String(port),
  host: config.host,
  data: config.dataFolder,
  mode: config.mode,
  public_url: config.publicUrl,
  credentials: config.credentialsFile ?? null,
  deliveries: onOff(config.deliveries),
  deny_range: config.denyRanges?.join(", ") ?? null,
  mcp: onOff(config.mcp),
  idle_reset: `${config.idleResetMinutes} min`,
  max_worlds: String(config.quotas.worlds),
  max_subscriptions: String(config.quotas.subscriptions),
  max_world_subscriptions: String(config.quotas.worldSubscriptions),
  max_access_codes: String(config.quotas.accessCodes),
  max_uploads: `${config.quotas.uploadMebibytes} MiB`,
  log: config.log,
});

type Part = (typeof dataParts)[number];
/** Whatever else lies in the folder is the service's own. */
const PARTS: Readonly<Record<string, Part>> = {
  worlds: "worlds",
  media: "pictures",
  snapshots: "snapshots",
  "service.log": "log",
  "service.earlier.log": "log",
};

const sizeOf = async (file: string): Promise<number> => {
  const { size } = await fs.promises.stat(file).catch(() => ({ size: 0 }));
  return size;
};

/** What lies in a folder takes on disk, by part. Files that go while it looks count as nothing. */
const measure = async (folder: string): Promise<{ readonly part: Part; readonly bytes: number }[]> => {
  const sums: Record<Part, number> = { worlds: 0, pictures: 0, snapshots: 0, log: 0, service: 0 };
  const entries = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const [top = ""] = path.relative(folder, file).split(path.sep);
    sums[PARTS[top] ?? "service"] += await sizeOf(file);
  }
  return (Object.keys(sums) as Part[]).map((part) => ({ part, bytes: sums[part] }));
};

/** What this start was told, and what it keeps for the next. */
export class StartSettings {
  readonly #config: ServiceConfig;
  readonly #folder: DataFolder;

  constructor(config: ServiceConfig, folder: DataFolder) {
    this.#config = config;
    this.#folder = folder;
  }

  #keptPort(): number | null {
    const kept = Number(this.#folder.database.setting(KEPT_PORT) ?? Number.NaN);
    return Number.isInteger(kept) ? kept : null;
  }

  /** Why the port is no matter of the data folder; null: it is. */
  #portFixed(): string | null {
    const { given, startedBy = "command", whenPortTaken } = this.#config;
    if (given?.port !== undefined)
      return given.port === "option" ? "It was given as the option --port." : "It was given as SANDBOX_PORT.";
    if (this.#folder.temporary) return "This service keeps nothing.";
    // Scripts and servers rely on the port they know.
    return startedBy === "desktop" || whenPortTaken === "any"
      ? null
      : "The command takes it from --port or SANDBOX_PORT.";
  }

  /** The port to listen on. */
  port(): number {
    return this.#portFixed() === null ? (this.#keptPort() ?? this.#config.port) : this.#config.port;
  }

  about(now: number): Port {
    const fixed = this.#portFixed();
    return { now, next_start: fixed === null ? this.#keptPort() : null, fixed };
  }

  /** Keeps a port for the next start; null: none. */
  keepPort(port: number | null, now: number): Port | Refusal {
    const fixed = this.#portFixed();
    if (fixed !== null) return refuse("unprocessable", `/port cannot be kept for the next start. ${fixed}`);
    if (port !== null && !isPortForPages(port))
      return refuse("bad_request", `/port ${port} is one on which browsers open no page; choose another`);
    if (port === null) this.forget();
    else this.#folder.database.setSetting(KEPT_PORT, String(port));
    return this.about(now);
  }

  /** Keeps nothing for the next start. */
  forget(): void {
    this.#folder.database.forgetSetting(KEPT_PORT);
  }

  #originOf(name: StartOption): SettingOrigin {
    if (name === "port" && this.#portFixed() === null && this.#keptPort() !== null) return "kept";
    return this.#config.given?.[name] ?? "default";
  }

  rows(now: number): StartSetting[] {
    const values = valuesOf(this.#config, now);
    return (Object.keys(values) as StartOption[]).map((name) => ({
      name,
      value: values[name],
      from: this.#originOf(name),
    }));
  }

  async dataFolder() {
    const { folder, temporary } = this.#folder;
    const parts = await measure(folder);
    return { path: temporary ? null : folder, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts };
  }
}

import type { StartedBy } from "./contract/control/service-operations.ts";
import { retentionBounds } from "./contract/control/world-operations.ts";
import type { OriginalTime } from "./rules/scenarios/recorded-steps.ts";
import type { PersonRule } from "./secrets/people.ts";

/** A pre-loaded credential. */
export interface GivenCredential {
  readonly api_key: string;
  readonly integration_id: string;
  readonly webhook_secret: string;
}

/** A pre-registered client. */
export interface GivenClient {
  readonly client_id: string;
  readonly client_secret: string;
  /** Redirect addresses when deployed; `https`, compared exactly. */
  readonly redirect_uris: readonly string[];
}

/** Replaces the documented demo values. Required when deployed. */
export interface GivenCredentials {
  readonly credentials: Readonly<Record<"repairer" | "supplier", GivenCredential>>;
  readonly clients: Readonly<Record<"demo" | "no_oauth", GivenClient>>;
}

/** Limits on one caller's use of the service. Only tests of these limits change them. */
export const connectionLimits = {
  /** Open worlds. The least recently used ones are closed until the next call. */
  openWorlds: 500,
  /**
   * Connections; further ones are closed. With three files for each of five hundred open worlds, this stays below the
   * 4,096 descriptors a process can count on.
   */
  connections: 2_500,
  /** Live feeds and `listen` streams of all tokens. The rest is for calls. */
  streams: 1_000,
  /**
   * Bytes of a request's address and headers. Node's default, many times the size of credentials, a trace context and a
   * proxy's additions.
   */
  headerBytes: 16_384,
  /** Milliseconds from the connection, or the first byte of a later request, to the end of the headers. */
  headersMs: 15_000,
  /** Milliseconds to the end of the body, from the same start. Enough for 20 MiB at 6 Mbit/s. */
  requestMs: 30_000,
  /**
   * How often to check for callers that exceed these timeouts, in milliseconds. Node's default of thirty seconds would
   * make them up to three times as long.
   */
  checkMs: 2_000,
  /**
   * Milliseconds without traffic during a call, after which its connection is closed. Longer than any fault's delay.
   */
  inactiveMs: 660_000,
  /**
   * Milliseconds an idle connection is kept. Longer than the sixty seconds of common load balancers, so that they close
   * connections, not the service.
   */
  keepAliveMs: 72_000,
  /**
   * Milliseconds a stop waits for running calls. Shorter than the ten seconds before container runtimes kill the
   * process.
   */
  stopMs: 8_000,
};
export type ConnectionLimits = Readonly<typeof connectionLimits>;

/** @param name what the settings call it */
const count = (option: string, usual: number, most: number, about: string, name = about) => ({
  ...{ option: `max-${option}`, usual, most, about, name },
  unit: "",
});
const size = (...given: Parameters<typeof count>) => ({ ...count(...given), unit: "MiB" });
const MAX_RETENTION = retentionBounds.max_megabytes.maximum as number;

/** Limits of a service and its worlds (D85, D86), each with its option, default and largest value. */
export const quotaOptions = {
  worlds: count("worlds", 10_000, 1_000_000, "number of worlds", "worlds"),
  subscriptions: count("subscriptions", 32, 10_000, "subscriptions per integration"),
  worldSubscriptions: count("world-subscriptions", 1_000, 100_000, "subscriptions per world"),
  accessCodes: count("access-codes", 100, 10_000, "unused access codes per organization"),
  uploadMebibytes: size("uploads", 256, 1_048_576, "uploaded pictures per world", "pictures per world"),
  /** Checkpoints have separate limits. */
  snapshots: count("snapshots", 20, 10_000, "saved and imported snapshots per world", "snapshots per world"),
  snapshotMebibytes: size(
    "snapshot-size",
    1_024,
    1_048_576,
    "size of those snapshots together",
    "size of snapshots per world",
  ),
  retentionMebibytes: size("retention", MAX_RETENTION, MAX_RETENTION, "records per world", "retention per world"),
  streams: count(
    "live-feeds",
    20,
    connectionLimits.streams,
    "live feeds and listen streams per control or world token",
    "live feeds per token",
  ),
};
export type Quotas = Readonly<Record<keyof typeof quotaOptions, number>>;

export const quotaNames = Object.keys(quotaOptions) as (keyof Quotas)[];

/** The limits by name, each as a function determines it. */
export const eachQuota = (limitOf: (name: keyof Quotas) => number): Quotas =>
  Object.fromEntries(quotaNames.map((name) => [name, limitOf(name)])) as Quotas;

export const defaultQuotas = eachQuota((name) => quotaOptions[name].usual);

/** Configuration of a service, built by its hosts. Nothing below reads the environment. */
export interface ServiceConfig {
  /** Interface to listen on; loopback unless deployed. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Reaction to a taken port: fail, or take any free one (desktop and browser mode). */
  readonly whenPortTaken: "fail" | "any";
  /** Folder of the service's files; null for a temporary folder that is removed on stop. */
  readonly dataFolder: string | null;
  /** PostgreSQL database of a cluster. Absent on a single machine. */
  readonly cluster?: string;
  readonly mode: "local" | "deployed";
  /** Public address of a deployed service, without a trailing slash; null in local mode. */
  readonly publicUrl: string | null;
  /** Additional hosts of the service (D95). */
  readonly allowHosts?: readonly string[];
  /** Additional receiver hosts of a local service (D95). */
  readonly receiverHosts?: readonly string[];
  /** Null for the documented demo values (local mode only). */
  readonly credentials: GivenCredentials | null;
  /** False keeps notifications visible and sends nothing. */
  readonly deliveries: boolean;
  /** Additional ranges a deployed service must not send to, besides non-public ones. */
  readonly denyRanges?: readonly string[];
  /** Calls per minute for each key, or each address without a valid one. Unlimited by default. */
  readonly callsPerMinute?: number;
  /** Ranges of proxies whose `X-Forwarded-For` is trusted. None by default. */
  readonly trustedProxies?: readonly string[];
  /** People who sign in at such a proxy, and their scopes. Sign-in is off by default. */
  readonly people?: readonly PersonRule[];
  /** True if `GET /metrics` is available. */
  readonly metrics?: boolean;
  /** True if assistants may use the service, with the control token. */
  readonly mcp: boolean;
  /** Minutes without a call before a world other than `default` is reset (D82). */
  readonly idleResetMinutes: number;
  readonly quotas: Quotas;
  /** Folder of the built explorer with its index.html; null serves only the API. */
  readonly explorerFolder: string | null;
  readonly mediaFolder: string;
  readonly log: "pretty" | "json" | "silent";
  /** True if an option or variable set the port. */
  readonly isPortGiven?: boolean;
  /** File the credentials were read from. */
  readonly credentialsFile?: string;
  /** File the people were read from. */
  readonly peopleFile?: string;
  /**
   * Original time of the call being repeated, which is then recorded under its original ID; undefined for the present.
   * Only for a private service.
   */
  readonly repeats?: () => OriginalTime | undefined;
  /** Default: the command. */
  readonly startedBy?: StartedBy;
  /** Overrides of the connection limits, for tests. No option sets them. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** Default retention limit of a deployed service's worlds, in mebibytes of records. */
export const DEPLOYED_RETENTION_MEBIBYTES = 1_024;

export const DEFAULT_PORT = 4026;

/** Environment of this process; nothing else reads it. */
export const environment = (): NodeJS.ProcessEnv => process.env;

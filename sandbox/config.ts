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
  /** Addresses codes may be sent to when deployed; `https`, compared as they are. */
  readonly redirect_uris: readonly string[];
}

/** What replaces the documented demo values; needed when deployed. */
export interface GivenCredentials {
  readonly credentials: Readonly<Record<"repairer" | "supplier", GivenCredential>>;
  readonly clients: Readonly<Record<"demo" | "no_oauth", GivenClient>>;
}

/** How much of the service one caller may hold, and for how long: of every service that is not a test of these limits. */
export const connectionLimits = {
  /** Worlds whose files are open at once; the least used of more are closed until they are called again. */
  openWorlds: 500,
  /**
   * Connections at once; a further one is closed. With the three files of each of five hundred open worlds this stays below
   * the 4,096 descriptors a process can count on, and a test suite with a connection a worker stays far below it.
   */
  connections: 2_500,
  /** Live feeds and `listen` streams of all tokens at once. The rest is for calls. */
  streams: 1_000,
  /**
   * Bytes of a request's address and headers together. Node's own default: credentials, a trace context and a proxy's
   * additions fit many times over.
   */
  headerBytes: 16_384,
  /** Milliseconds from a connection, or from the first byte of a later request on it, to the end of the headers. */
  headersMs: 15_000,
  /** Milliseconds to the end of the body, counted from the same moment. A picture of 20 MiB arrives in it over 6 Mbit/s. */
  requestMs: 30_000,
  /**
   * How often to check for callers that exceed these timeouts, in milliseconds. Node's own check, every thirty seconds,
   * would make them up to three times as long.
   */
  checkMs: 2_000,
  /**
   * Milliseconds without a byte either way, while a call is under way, after which its connection is closed. Longer than
   * any fault holds a call up.
   */
  inactiveMs: 660_000,
  /**
   * Milliseconds a connection without a request is kept for the next one. Longer than the sixty seconds after which common
   * load balancers let go: they, not the service, end a connection.
   */
  keepAliveMs: 72_000,
  /**
   * Milliseconds a stop waits for what is in flight. Shorter than the ten seconds after which container runtimes kill what
   * they asked to stop.
   */
  stopMs: 8_000,
};
export type ConnectionLimits = Readonly<typeof connectionLimits>;

/** What a service and each of its worlds may hold unless its operator says otherwise (D85, D86). */
export const defaultQuotas = {
  worlds: 10_000,
  /** Of each integration of a world. */
  subscriptions: 32,
  /** Of all integrations of a world together. */
  worldSubscriptions: 1_000,
  /** Access codes of an organization that can still be used; a further one is refused. */
  accessCodes: 100,
  /** Mebibytes of uploaded pictures in a world. */
  uploadMebibytes: 256,
  /** Saved and imported snapshots of a world, by number and in mebibytes; checkpoints have limits of their own. */
  snapshots: 20,
  snapshotMebibytes: 1_024,
  /** Mebibytes of records that a world may be set to keep. */
  retentionMebibytes: retentionBounds.max_megabytes.maximum as number,
  /** Live feeds and `listen` streams of a token of the control plane. */
  streams: 20,
};
export type Quotas = Readonly<typeof defaultQuotas>;

/** Everything a service needs to know to start. Built by the hosts; nothing below reads the environment. */
export interface ServiceConfig {
  /** Interface to listen on; loopback unless deployed. */
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** When the port is taken: fail, or take any free one (desktop and browser mode). */
  readonly whenPortTaken: "fail" | "any";
  /** Folder of the service's files, or null to keep nothing (a temporary folder, removed on stop). */
  readonly dataFolder: string | null;
  /** The PostgreSQL database of the machines that serve the same worlds; left out: this one serves them alone. */
  readonly cluster?: string;
  readonly mode: "local" | "deployed";
  /** The address others reach a deployed service under, without a trailing slash; null in local mode. */
  readonly publicUrl: string | null;
  /** Hosts it is called by beside loopback and that address; left out: none (D95). */
  readonly allowHosts?: readonly string[];
  /** Hosts beside loopback that a local service sends notifications to; left out: none (D95). */
  readonly receiverHosts?: readonly string[];
  /** Null: the documented demo values (local mode only). */
  readonly credentials: GivenCredentials | null;
  /** Off: notifications stay visible, nothing is sent. */
  readonly deliveries: boolean;
  /** Ranges of addresses, beside those that are not public, that a deployed service sends no notification to. */
  readonly denyRanges?: readonly string[];
  /** Calls a minute of one key, or of one address without a valid one; left out: as many as come. */
  readonly callsPerMinute?: number;
  /** Ranges of the addresses of proxies, whose `X-Forwarded-For` is believed; left out: of none. */
  readonly trustedProxies?: readonly string[];
  /** Who signs in at such a proxy, and what that opens; left out: nobody does. */
  readonly people?: readonly PersonRule[];
  /** Whether it counts what happens, for `GET /metrics`. */
  readonly metrics?: boolean;
  /** Assistants may use the service, with the control token. */
  readonly mcp: boolean;
  /** Minutes without a call after which a world other than `default` is seeded anew (D82). */
  readonly idleResetMinutes: number;
  readonly quotas: Quotas;
  /** The built explorer (a folder with index.html), or null to serve the API alone. */
  readonly explorerFolder: string | null;
  /** Folder of the seeded pictures. */
  readonly mediaFolder: string;
  readonly log: "pretty" | "json" | "silent";
  /** The port was said by an option or a variable. */
  readonly isPortGiven?: boolean;
  /** Where the credentials were read. */
  readonly credentialsFile?: string;
  /** Where the people were read. */
  readonly peopleFile?: string;
  /**
   * A call that repeats another one is recorded under its id and made at its time, which this says; undefined: now. For a
   * service that nobody else reaches.
   */
  readonly repeats?: () => OriginalTime | undefined;
  /** Left out: by the command. */
  readonly startedBy?: StartedBy;
  /** Connection limits other than the usual ones; for tests that cannot wait for those. No option sets them. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** Mebibytes of records that a world of a deployed service may be set to keep, unless its operator says otherwise. */
export const DEPLOYED_RETENTION_MEBIBYTES = 1_024;

export const DEFAULT_PORT = 4026;

/** The environment this process was started with; read here and nowhere else. */
export const environment = (): NodeJS.ProcessEnv => process.env;

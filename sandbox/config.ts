import type { ConnectionLimits } from "./http/connection-limits.ts";

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

/** What takes the place of the documented demo values; needed when deployed. */
export interface GivenCredentials {
  readonly credentials: Readonly<Record<"repairer" | "supplier", GivenCredential>>;
  readonly clients: Readonly<Record<"demo" | "no_oauth", GivenClient>>;
}

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
  readonly mode: "local" | "deployed";
  /** The address others reach a deployed service under, without a trailing slash; null in local mode. */
  readonly publicUrl: string | null;
  /** Null: the documented demo values (local mode only). */
  readonly credentials: GivenCredentials | null;
  /** Off: notifications stay visible, nothing is sent. */
  readonly deliveries: boolean;
  /** Minutes without a call after which a world other than `default` is seeded anew (D82). */
  readonly idleResetMinutes: number;
  /** The built explorer (a folder with index.html), or null to serve the API alone. */
  readonly explorerFolder: string | null;
  /** Folder of the seeded pictures. */
  readonly mediaFolder: string;
  readonly log: "pretty" | "json" | "silent";
  /** Connection limits other than the usual ones; for tests that cannot wait for those. No option sets them. */
  readonly limits?: Partial<ConnectionLimits>;
}

export const DEFAULT_PORT = 4026;

/** The environment this process was started with; read here and nowhere else. */
export const environment = (): NodeJS.ProcessEnv => process.env;

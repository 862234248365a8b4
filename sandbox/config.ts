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
  /** Off: notifications stay visible, nothing is sent. */
  readonly deliveries: boolean;
  /** Minutes without a call after which a world other than `default` is seeded anew (D82). */
  readonly idleResetMinutes: number;
  /** The built explorer (a folder with index.html), or null to serve the API alone. */
  readonly explorerFolder: string | null;
  /** Folder of the seeded pictures. */
  readonly mediaFolder: string;
  readonly log: "pretty" | "json" | "silent";
}

export const DEFAULT_PORT = 4026;

/** The environment this process was started with; read here and nowhere else. */
export const environment = (): NodeJS.ProcessEnv => process.env;

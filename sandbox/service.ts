import type { ServiceConfig } from "./config.ts";

/** A reason the service cannot start, in a sentence that says what to do. */
export class StartError extends Error {
  readonly code: "port_taken" | "folder_in_use" | "folder_unusable" | "newer_data" | "bad_option";

  constructor(code: StartError["code"], message: string) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}

/** The one line a host prints, or writes to the ready file, when the service can be used. */
export interface ReadyLine {
  readonly event: "ready";
  readonly base_url: string;
  readonly explorer_url: string;
  readonly mode: "local" | "deployed";
  readonly pid: number;
  readonly control_token: string;
  readonly credentials?: Record<"repairer" | "supplier", { readonly api_key: string; readonly integration_id: string }>;
  readonly clients?: Record<"demo" | "no_oauth", { readonly client_id: string; readonly client_secret: string }>;
}

export interface RunningService {
  readonly ready: ReadyLine;
  /** Stops accepting, finishes what is in flight, closes every file. Safe to call more than once. */
  stop(): Promise<void>;
}

/** Starts the service: opens the data folder, listens, resolves when it can be used. Throws {@link StartError}. */
export async function startService(_config: ServiceConfig): Promise<RunningService> {
  throw new Error("being built");
}

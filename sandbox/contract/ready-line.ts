/** Printed as one line, or written to the ready file, when the service is ready. */
export interface ReadyLine {
  readonly event: "ready";
  /** The service's address, without a trailing slash. */
  readonly base_url: string;
  /** The explorer's address; its fragment carries the control token. */
  readonly explorer_url: string;
  readonly mode: "local" | "deployed";
  readonly pid: number;
  readonly control_token: string;
  /** The pre-loaded credentials; in local mode only. */
  readonly credentials?: Record<"repairer" | "supplier", { readonly api_key: string; readonly integration_id: string }>;
  /** The OAuth clients; in local mode only. */
  readonly clients?: Record<"demo" | "no_oauth", { readonly client_id: string; readonly client_secret: string }>;
}

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

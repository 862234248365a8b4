/** D22: how long an access code lives, in milliseconds of the world's clock. */
export const ACCESS_CODE_LIFETIME_MS = 15 * 60_000;

/** What decides whether a code may be used; times in milliseconds since 1970, on the world's clock. */
export interface AccessCodeState {
  readonly client_id: string;
  readonly expires_at: number;
  /** Null as long as it is unused. */
  readonly consumed_at: number | null;
}

/** D22: once, by the client it was issued to, up to and including the millisecond it expires at. */
export const isUsableCode = (code: AccessCodeState, clientId: string, now: number): boolean =>
  code.client_id === clientId && code.consumed_at === null && now <= code.expires_at;

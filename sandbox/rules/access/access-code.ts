import { agoWords } from "../timestamp.ts";

/** D22: how long an access code lives, in milliseconds of the world's clock. */
export const ACCESS_CODE_LIFETIME_MS = 15 * 60_000;

/** What decides whether a code may be used; times in milliseconds since 1970, on the world's clock. */
export interface AccessCodeState {
  readonly client_id: string;
  readonly expires_at: number;
  /** Null as long as it is unused. */
  readonly consumed_at: number | null;
}

/**
 * D22: a code is good once, by the client it was issued to, up to and including the millisecond it expires at.
 *
 * @returns why it is not, as a sentence that is recorded and never answered; null when it is
 */
export const codeProblem = (code: AccessCodeState | undefined, clientId: string, now: number): string | null => {
  if (!code) return "This access code doesn’t exist in this world.";
  if (code.client_id !== clientId) return "The access code was issued to another client, which can still use it.";
  if (code.consumed_at !== null)
    return `The access code was already used, ${agoWords(now - code.consumed_at)} before this call.`;
  return now <= code.expires_at ? null : "The access code expired: 15 minutes after it was issued.";
};

import { formatDuration } from "../timestamp.ts";

/** D22: lifetime of an access code, in milliseconds of the world's clock. */
export const ACCESS_CODE_LIFETIME_MS = 15 * 60_000;

/** State that decides whether a code can be used. Times in milliseconds since 1970, on the world's clock. */
interface AccessCodeState {
  readonly client_id: string;
  readonly expires_at: number;
  /** Null while unused. */
  readonly consumed_at: number | null;
}

/**
 * D22: a code works once, for the client it was issued to, up to and including its expiry.
 *
 * @returns the reason as a sentence for the record, never for the response; null if the code is valid
 */
export const explainInvalidCode = (code: AccessCodeState | undefined, clientId: string, now: number): string | null => {
  if (!code) return "This access code doesn’t exist in this world.";
  if (code.client_id !== clientId) return "The access code was issued to another client, which can still use it.";
  if (code.consumed_at !== null)
    return `The access code was already used, ${formatDuration(now - code.consumed_at)} before this call.`;
  return now <= code.expires_at ? null : "The access code expired: 15 minutes after it was issued.";
};

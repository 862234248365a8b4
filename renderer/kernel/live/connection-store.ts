import { create } from "zustand";

/** State of the live feed; correct also after the machine slept. */
type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live"; readonly version: string }
  | {
      readonly state: "reconnecting";
      readonly since: number;
      readonly retryAt: number;
      /** The service's reason for not opening a feed; null: it doesn't respond. */
      readonly why: string | null;
    };

/** A world that no longer exists. Any call with its name would create a new one. */
export interface MissingWorld {
  readonly world: string;
  /** In the service's words. */
  readonly reason: string;
}

/** The service's version now, and the one this page was loaded from. */
interface OtherBuild {
  readonly version: string;
  readonly pageVersion: string;
}

export const useConnection = create(() => ({
  connection: { state: "connecting" } as Connection,
  /** Time of the last entry, in milliseconds of real time; null before the first. */
  lastEntryAt: null as number | null,
  /** Set if the service serves a different build of the explorer from this page's. */
  otherBuild: null as OtherBuild | null,
  missing: null as MissingWorld | null,
  /** Counts resets and restores of this window's world, which delete its recorded calls. */
  replacements: 0,
  /** Connects immediately, without waiting for the retry. */
  retry: (): void => undefined,
}));

/** After this long without the service, the state is "lost" rather than "reconnecting"; retries continue. */
export const LOST_AFTER_MS = 30_000;

/** Returns whether the service has been down for longer than LOST_AFTER_MS. */
export const isLost = (connection: Connection, nowMs: number): boolean =>
  connection.state === "reconnecting" && connection.why === null && nowMs - connection.since > LOST_AFTER_MS;

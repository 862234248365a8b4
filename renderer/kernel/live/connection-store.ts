import { create } from "zustand";

/** Where the live feed stands; always true, also after the machine slept. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live"; readonly version: string }
  | {
      readonly state: "reconnecting";
      readonly since: number;
      readonly retryAt: number;
      /** Why the service opens no live feed, in its words; null: it doesn't respond. */
      readonly why: string | null;
    };

/** A world that is not there any more, under whose name the next call would begin a new one. */
export interface GoneWorld {
  readonly world: string;
  /** In the service's words. */
  readonly reason: string;
}

/** What the service is now, and what it was when this page was loaded. */
export interface OtherBuild {
  readonly version: string;
  readonly pageVersion: string;
}

export const useConnection = create(() => ({
  connection: { state: "connecting" } as Connection,
  /** When the last entry came, in milliseconds of real time; null before the first. */
  lastEntryAt: null as number | null,
  /** The service serves another build of the explorer than the one this page is; null while they are the same. */
  otherBuild: null as OtherBuild | null,
  gone: null as GoneWorld | null,
  /** Connects at once, without waiting. */
  retry: (): void => undefined,
}));

/** After this long without the service it is "lost" rather than "reconnecting"; it keeps trying all the same. */
export const LOST_AFTER_MS = 30_000;

/** Whether the service has been away for long. */
export const isLost = (connection: Connection, nowMs: number): boolean =>
  connection.state === "reconnecting" && connection.why === null && nowMs - connection.since > LOST_AFTER_MS;

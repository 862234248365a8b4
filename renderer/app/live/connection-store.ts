import { create } from "zustand";

/** Where the live feed stands; always true, also after the machine slept. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live"; readonly version: string }
  | { readonly state: "reconnecting"; readonly since: number; readonly retryAt: number };

interface ConnectionState {
  readonly connection: Connection;
  /** When the last entry came, in milliseconds of real time; null before the first. */
  readonly lastEntryAt: number | null;
  readonly set: (connection: Connection) => void;
  readonly touched: (at: number) => void;
}

export const useConnection = create<ConnectionState>()((set) => ({
  connection: { state: "connecting" },
  lastEntryAt: null,
  set: (connection) => set({ connection }),
  touched: (lastEntryAt) => set({ lastEntryAt }),
}));

/** After this long without the service it is "lost" rather than "reconnecting"; it keeps trying all the same. */
export const LOST_AFTER_MS = 30_000;

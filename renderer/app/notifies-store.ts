import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import { keptIn } from "../lib/storage.ts";

/** Where the choice is kept, for all windows. */
export const NOTIFIES = "explorer.notifies";

/** Whether this browser shows notices of failed deliveries; only when the person asked for that. */
export const useNotifies = create(
  persist(
    combine({ on: false }, (set) => ({ choose: (on: boolean) => set({ on }) })),
    { name: NOTIFIES, version: 1, storage: keptIn("browser") },
  ),
);

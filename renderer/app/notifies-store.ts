import { create } from "zustand";
import { persist } from "zustand/middleware";

interface NotifiesState {
  readonly on: boolean;
  readonly choose: (on: boolean) => void;
}

/** Where the choice is kept, for all windows. */
export const NOTIFIES = "explorer.notifies";

/** Whether this browser shows notices of failed deliveries; only when the person asked for that. */
export const useNotifies = create<NotifiesState>()(
  persist((set) => ({ on: false, choose: (on) => set({ on }) }), { name: NOTIFIES, version: 1 }),
);

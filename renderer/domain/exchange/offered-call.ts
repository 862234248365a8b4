import { useEffect } from "react";
import { create } from "zustand";
import type { ConsoleCall } from "./console-call.ts";

interface OfferedState {
  readonly call: ConsoleCall | null;
  readonly offer: (call: ConsoleCall | null) => void;
}

/** A call that an operation's page is to show in place of what it has; it is taken once, and kept nowhere else. */
export const useOffered = create<OfferedState>()((set) => ({
  call: null,
  offer: (call) => set({ call }),
}));

/** Takes the call that is meant for an operation. */
export const useTakeOffered = (operation: string, onTake: (call: ConsoleCall) => void): void => {
  const { call, offer } = useOffered();
  useEffect(() => {
    if (call?.operation !== operation) return;
    offer(null);
    onTake(call);
  }, [call, operation, offer, onTake]);
};

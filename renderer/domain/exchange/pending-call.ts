import { useEffect } from "react";
import { create } from "zustand";
import { combine } from "zustand/middleware";
import type { ConsoleCall } from "./console-call.ts";

/** A call that an operation's page is to show in place of what it has; it is taken once, and kept nowhere else. */
export const usePendingCall = create(
  combine({ call: null as ConsoleCall | null }, (set) => ({ offer: (call: ConsoleCall | null) => set({ call }) })),
);

/** Takes the call that is meant for an operation. */
export const useConsumePendingCall = (operation: string, onTake: (call: ConsoleCall) => void): void => {
  const { call, offer } = usePendingCall();
  useEffect(() => {
    if (call?.operation !== operation) return;
    offer(null);
    onTake(call);
  }, [call, operation, offer, onTake]);
};

/** A text with calls that the import of calls is to read in place of what it has; taken once, too. */
export const usePendingText = create(
  combine({ text: null as string | null }, (set) => ({ offer: (text: string | null) => set({ text }) })),
);

import { useEffect } from "react";
import { create } from "zustand";
import { combine } from "zustand/middleware";
import type { ConsoleCall } from "./console-call.ts";

/** A call to show next in the Console; consumed once and never stored. */
export const usePendingCall = create(
  combine({ call: null as ConsoleCall | null }, (set) => ({ offer: (call: ConsoleCall | null) => set({ call }) })),
);

export const useConsumePendingCall = (operation: string, onTake: (call: ConsoleCall) => void): void => {
  const { call, offer } = usePendingCall();
  useEffect(() => {
    if (call?.operation !== operation) return;
    offer(null);
    onTake(call);
  }, [call, operation, offer, onTake]);
};

/** A text to show next in the import dialog; consumed once, too. */
export const usePendingText = create(
  combine({ text: null as string | null }, (set) => ({ offer: (text: string | null) => set({ text }) })),
);

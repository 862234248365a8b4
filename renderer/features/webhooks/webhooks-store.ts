import { create } from "zustand";
import { persist } from "zustand/middleware";

export const bodyViews = ["text", "hex", "json", "headers"] as const;
export type BodyView = (typeof bodyViews)[number];

/** What the person chose at this place; nothing the service knows. */
interface WebhooksState {
  readonly view: BodyView;
  readonly subscribing: boolean;
  /** Whether a receiver is being made. */
  readonly making: boolean;
  readonly comparing: boolean;
  readonly show: (view: BodyView) => void;
  readonly setSubscribing: (open: boolean) => void;
  readonly setMaking: (open: boolean) => void;
  readonly toggleComparing: () => void;
}

export const useWebhooks = create<WebhooksState>()(
  persist(
    (set) => ({
      view: "json",
      subscribing: false,
      making: false,
      comparing: false,
      show: (view) => set({ view }),
      setSubscribing: (subscribing) => set({ subscribing }),
      setMaking: (making) => set({ making }),
      toggleComparing: () => set((state) => ({ comparing: !state.comparing })),
    }),
    { name: "explorer.webhooks", version: 1, partialize: ({ view }) => ({ view }) },
  ),
);

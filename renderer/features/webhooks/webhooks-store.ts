import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { FeedFilter, StatusFilter } from "./queries.ts";

export const bodyViews = ["text", "hex", "json", "headers"] as const;
export type BodyView = (typeof bodyViews)[number];

/** What the person chose at this place; nothing the service knows. */
interface WebhooksState extends FeedFilter {
  readonly view: BodyView;
  readonly subscribing: boolean;
  /** Whether a receiver is being made. */
  readonly making: boolean;
  readonly comparing: boolean;
  readonly filterStatus: (status: StatusFilter) => void;
  readonly filterSubscription: (subscriptionId: string | null) => void;
  readonly clearFilter: () => void;
  readonly show: (view: BodyView) => void;
  readonly setSubscribing: (open: boolean) => void;
  readonly setMaking: (open: boolean) => void;
  readonly toggleComparing: () => void;
}

export const useWebhooks = create<WebhooksState>()(
  persist(
    (set) => ({
      status: "all",
      subscriptionId: null,
      view: "json",
      subscribing: false,
      making: false,
      comparing: false,
      filterStatus: (status) => set({ status }),
      filterSubscription: (subscriptionId) => set({ subscriptionId }),
      clearFilter: () => set({ status: "all", subscriptionId: null }),
      show: (view) => set({ view }),
      setSubscribing: (subscribing) => set({ subscribing }),
      setMaking: (making) => set({ making }),
      toggleComparing: () => set((state) => ({ comparing: !state.comparing })),
    }),
    { name: "explorer.webhooks", version: 1, partialize: ({ view }) => ({ view }) },
  ),
);

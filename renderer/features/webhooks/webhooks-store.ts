import { create } from "zustand";
import type { FeedFilter, StatusFilter } from "./queries.ts";

export const bodyViews = ["text", "hex", "json", "headers"] as const;
export type BodyView = (typeof bodyViews)[number];

/** What the person chose at this place; nothing the service knows. */
interface WebhooksState extends FeedFilter {
  readonly view: BodyView;
  readonly subscribing: boolean;
  readonly comparing: boolean;
  readonly filterStatus: (status: StatusFilter) => void;
  readonly filterIntegration: (integrationId: string | null) => void;
  readonly clearFilter: () => void;
  readonly show: (view: BodyView) => void;
  readonly setSubscribing: (open: boolean) => void;
  readonly toggleComparing: () => void;
}

export const useWebhooks = create<WebhooksState>()((set) => ({
  status: "all",
  integrationId: null,
  view: "hex",
  subscribing: false,
  comparing: false,
  filterStatus: (status) => set({ status }),
  filterIntegration: (integrationId) => set({ integrationId }),
  clearFilter: () => set({ status: "all", integrationId: null }),
  show: (view) => set({ view }),
  setSubscribing: (subscribing) => set({ subscribing }),
  toggleComparing: () => set((state) => ({ comparing: !state.comparing })),
}));

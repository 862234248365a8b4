import { create } from "zustand";
import { persist } from "zustand/middleware";

export const bodyViews = ["text", "hex", "json", "headers"] as const;
export type BodyView = (typeof bodyViews)[number];

/** What the person chose at this place; nothing the service knows. */
interface WebhooksState {
  readonly view: BodyView;
  readonly comparing: boolean;
  /** The form that lies over the place. */
  readonly form: "subscribe" | "receiver" | null;
}

export const useWebhooks = create<WebhooksState>()(
  persist((): WebhooksState => ({ view: "json", comparing: false, form: null }), {
    name: "explorer.webhooks",
    version: 1,
    partialize: ({ view }) => ({ view }),
  }),
);

export const openForm = (form: WebhooksState["form"]) => useWebhooks.setState({ form });

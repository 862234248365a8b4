import { useEffect } from "react";
import { useLocation } from "wouter";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keptIn } from "../../lib/storage.ts";

export type BodyView = "text" | "hex" | "json" | "headers";

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
    storage: keptIn("browser"),
    partialize: ({ view }) => ({ view }),
  }),
);

export const openForm = (form: WebhooksState["form"]) => useWebhooks.setState({ form });

/** The form that is open. Going back, or anywhere else, closes it: it is not open when the person comes again. */
export const useOpenForm = (): WebhooksState["form"] => {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => () => void openForm(null), [path]);
  return useWebhooks((state) => state.form);
};

import { create } from "zustand";
import { combine } from "zustand/middleware";

/** A confirmation question. */
export interface WorldQuestion {
  readonly is: "reset" | "delete";
  readonly world: string;
}

/** The open dialog: the name of a new world or a copy, or a confirmation. */
export type WorldDialog = { readonly is: "new" } | { readonly is: "copy"; readonly world: string } | WorldQuestion;

/** Open parts of the worlds UI: the list under the bar, or a dialog. */
export const useWorldsUi = create(
  combine({ mode: null as { readonly is: "list" } | WorldDialog | null }, (set) => ({
    show: (mode: { readonly is: "list" } | WorldDialog | null) => set({ mode }),
  })),
);

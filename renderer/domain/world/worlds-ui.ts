import { create } from "zustand";
import { combine } from "zustand/middleware";

/** What is asked before it is done. */
export interface WorldQuestion {
  readonly is: "reset" | "delete";
  readonly world: string;
}

/** What a dialog asks for: the name of a new world or of a copy, or whether something is to be done. */
export type WorldAsked = { readonly is: "new" } | { readonly is: "copy"; readonly world: string } | WorldQuestion;

/** What is open of the worlds: their list under the bar, or a dialog. */
export const useWorldsUi = create(
  combine({ mode: null as { readonly is: "list" } | WorldAsked | null }, (set) => ({
    show: (mode: { readonly is: "list" } | WorldAsked | null) => set({ mode }),
  })),
);

import { create } from "zustand";
import { persist } from "zustand/middleware";

export const views = ["list", "board"] as const;
export type View = (typeof views)[number];

/** Choices of the person in this place; nothing the service knows, and nothing the address says. */
interface ProcurementsState {
  /** The view of an address that names none: the one that was chosen last. */
  readonly view: View;
}

export const useProcurementsUi = create<ProcurementsState>()(
  persist((): ProcurementsState => ({ view: "list" }), {
    name: "explorer.procurements",
    version: 1,
  }),
);

import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Side } from "../../sandbox/contract/control/rows.ts";

/** Choices of the person at this window. Nothing the service knows is kept here. */
interface UiState {
  readonly wireOpen: boolean;
  readonly wireHeight: number;
  readonly stepsHidden: boolean;
  /** The credential chosen to act as, by side; absent: chosen by rule (see acting.ts). */
  readonly actAs: Partial<Record<Side, string>>;
  /** The exchange the wire shows; null follows the newest. */
  readonly wireShows: string | null;
  readonly showInWire: (requestId: string | null) => void;
  readonly paletteOpen: boolean;
  readonly showPalette: (open: boolean) => void;
  readonly toggleWire: () => void;
  readonly setWireHeight: (height: number) => void;
  readonly hideSteps: (hidden: boolean) => void;
  readonly chooseActAs: (side: Side, integrationId: string | null) => void;
}

export const useUi = create<UiState>()(
  persist(
    (set) => ({
      wireOpen: false,
      wireHeight: 280,
      stepsHidden: false,
      actAs: {},
      wireShows: null,
      paletteOpen: false,
      showPalette: (paletteOpen) => set({ paletteOpen }),
      showInWire: (wireShows) => set(wireShows === null ? { wireShows } : { wireShows, wireOpen: true }),
      toggleWire: () => set((state) => ({ wireOpen: !state.wireOpen })),
      setWireHeight: (wireHeight) => set({ wireHeight }),
      hideSteps: (stepsHidden) => set({ stepsHidden }),
      chooseActAs: (side, integrationId) =>
        set((state) => {
          const { [side]: _chosen, ...rest } = state.actAs;
          return { actAs: integrationId === null ? rest : { ...rest, [side]: integrationId } };
        }),
    }),
    {
      name: "explorer.ui",
      version: 1,
      partialize: ({ wireOpen, wireHeight, stepsHidden, actAs }) => ({ wireOpen, wireHeight, stepsHidden, actAs }),
    },
  ),
);

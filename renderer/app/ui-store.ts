import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import type { Side } from "../../sandbox/contract/control/rows.ts";
import { keptIn } from "../lib/storage.ts";
import { putInAddress, shownInWire } from "./wire-shows.ts";

/** How high the wire is until somebody drags it, in pixels. */
export const WIRE_USUAL = 280;

/** How close the rows of lists stand; the tokens of `data-density` say the same. */
export type Density = "comfortable" | "compact";

/** Choices of the person at this window. Nothing the service knows is kept here. */
const usual = {
  wireOpen: false,
  wireHeight: WIRE_USUAL,
  /** It was opened to show an exchange, and closes when that is gone back from. */
  wireOpenedFor: false,
  /** The exchange that was chosen when it was closed, to be shown again. */
  wireLast: null as string | null,
  keysOpen: false,
  stepsHidden: false,
  density: "comfortable" as Density,
  /** Whether keys that type a character act (WCAG 2.1.4). */
  characterKeys: true,
  /** The credential chosen to act as, by side; absent: chosen by rule (see acting.ts). */
  actAs: {} as Partial<Record<Side, string>>,
};

export const useUi = create(
  persist(
    combine(usual, (set) => ({
      /** Opens the wire at an exchange, which then stands in the address (wire-shows.ts); null follows the newest. */
      showInWire: (requestId: string | null) => {
        if (requestId === null) set({ wireOpenedFor: false });
        else followAddress(requestId);
        putInAddress(requestId);
      },
      hideSteps: (stepsHidden: boolean) => set({ stepsHidden }),
      chooseDensity: (density: Density) => set({ density }),
      setCharacterKeys: (characterKeys: boolean) => set({ characterKeys }),
      /** Remembers whom a side acts as; null goes back to the rule. */
      chooseActAs: (side: Side, integrationId: string | null) =>
        set(({ actAs: { [side]: _chosen, ...rest } }) => ({
          actAs: integrationId === null ? rest : { ...rest, [side]: integrationId },
        })),
    })),
    {
      name: "explorer.ui",
      version: 1,
      storage: keptIn("browser"),
      partialize: ({ wireOpen, wireOpenedFor, wireHeight, stepsHidden, density, characterKeys, actAs }) => ({
        wireOpen: wireOpen && !wireOpenedFor,
        wireHeight,
        stepsHidden,
        density,
        characterKeys,
        actAs,
      }),
    },
  ),
);

/** Opens and closes the wire after an address that was gone to. */
export const followAddress = (requestId: string | null): void => {
  const { wireOpen, wireOpenedFor } = useUi.getState();
  if (requestId !== null && !wireOpen) useUi.setState({ wireOpen: true, wireOpenedFor: true });
  if (requestId === null && wireOpenedFor) useUi.setState({ wireOpen: false, wireOpenedFor: false });
};

export const toggleWire = (): void => {
  const { wireOpen, wireLast } = useUi.getState();
  const shown = shownInWire();
  useUi.setState({ wireOpen: !wireOpen, wireOpenedFor: false, wireLast: wireOpen ? shown : wireLast });
  putInAddress(wireOpen ? null : (shown ?? wireLast));
};

/** In pixels: rows of two lines, of a table over a whole place, and of one line. */
const heights = {
  comfortable: { two: 48, table: 32, one: 28 },
  compact: { two: 40, table: 26, one: 24 },
} as const;

/** How high a row is: lists that draw only what is in sight have to know. */
export const useRowHeight = (kind: "two" | "table" | "one"): number => heights[useUi((state) => state.density)][kind];

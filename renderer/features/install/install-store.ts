import { useMediaQuery } from "@mantine/hooks";
import { create } from "zustand";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { installSides } from "../../app/places.ts";
import { searchParams, useKeptSearchParamsOf } from "../../lib/search-params.ts";

/** What the person chose at this place; nothing the service knows. */
interface InstallState {
  /** Where both sides are shown, the one that was worked at last. */
  readonly active: Side;
  /** Null: the first client that can be installed. */
  readonly clientId: string | null;
  /** The chosen organization of each side; absent: the first one. */
  readonly organizations: Partial<Record<Side, string>>;
  /** What the consent page sent back last. */
  readonly returned: {
    readonly side: Side;
    readonly kind: "code" | "denied" | "foreign";
    readonly isSeen?: true;
  } | null;
}

export const useInstall = create<InstallState>()(() => ({
  active: "repairer",
  clientId: null,
  organizations: {},
  returned: null,
}));

export const chooseOrganization = (side: Side, id: string): void =>
  useInstall.setState(({ organizations }) => ({ organizations: { ...organizations, [side]: id } }));

const shownParams = searchParams({ sides: installSides });

/** Whether there is room for both sides beside each other. */
export const useHasRoomForBoth = (): boolean =>
  useMediaQuery("(min-width: 1200px)", false, { getInitialValueInEffect: false }) ?? false;

/** Whose install is shown: as the address says or, where it does not, as it was in this window. */
export const useShown = () => {
  const { sides } = useKeptSearchParamsOf(shownParams, "install", false).values;
  const active = useInstall((state) => state.active);
  return useHasRoomForBoth() || sides !== "both" ? (sides ?? "repairer") : active;
};

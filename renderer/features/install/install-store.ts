import { create } from "zustand";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { choice, searchParams, useKeptSearchParamsOf } from "../../lib/search-params.ts";

/** What the person chose at this place; nothing the service knows. */
interface InstallState {
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

export const useInstall = create<InstallState>()(() => ({ clientId: null, organizations: {}, returned: null }));

export const chooseOrganization = (side: Side, id: string): void =>
  useInstall.setState(({ organizations }) => ({ organizations: { ...organizations, [side]: id } }));

const shownParams = searchParams({ sides: choice(["repairer", "supplier"]) });

/** Whose install is shown: as the address says or, where it does not, as it was in this window. */
export const useShown = (): Side => useKeptSearchParamsOf(shownParams, "install", false).values.sides ?? "repairer";

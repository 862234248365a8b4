import { create } from "zustand";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { choice, searchParams, useKeptSearchParamsOf } from "../../lib/search-params.ts";

/** The person's choices in this place; no data of the service. */
interface InstallState {
  /** Null: the first client that can be installed. */
  readonly clientId: string | null;
  /** The chosen organization of each side; absent: the first one. */
  readonly organizations: Partial<Record<Side, string>>;
  /** The consent page's last response. */
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

/** The shown side: from the address, or else as last shown in this window. */
export const useShownSide = (): Side => useKeptSearchParamsOf(shownParams, "install", false).values.sides ?? "repairer";

import type { ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../app/places.ts";
import { nameOf } from "./words.ts";

/** The install flow for a key that a procurement lacks; it knows the way back to the procurement. */
export const installHref = (
  wanted: Readonly<Record<string, string>>,
  about: Pick<ProcurementRow, "id" | "reference">,
): string => {
  const query = new URLSearchParams({ ...wanted, back: hrefs.procurement(about.id), back_label: nameOf(about) });
  return `/install?${query}`;
};

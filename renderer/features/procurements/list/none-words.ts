import type { Names } from "../../../domain/directory/directory.ts";
import type { ProcurementFilter } from "../address.ts";

/** What was looked for when there is none of it: "No order matches “x”, is cancelled and is from Meridian". */
export const noneWords = ({ search, status, site, supplier }: ProcurementFilter, names: Names): string => {
  const parts = [
    search.trim() === "" ? null : `matches “${search.trim()}”`,
    status && `is ${status}`,
    site && `is for ${names.get(site) ?? "that site"}`,
    supplier && `is from ${names.get(supplier) ?? "that supplier"}`,
  ].filter((part) => part !== null);
  const last = parts.pop();
  if (last === undefined) return "No order";
  return `No order ${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}`;
};

import { IconArrowsExchange } from "@tabler/icons-react";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { type Names, useDirectory } from "../../../domain/directory/directory.ts";
import { formatList, formatTotal, type Total } from "../../../lib/formatting.ts";
import { isFiltered, type ProcurementFilter, useAddress } from "../address.ts";

/** What was looked for when there is none of it: "No order matches “x”, is cancelled and is from Meridian". */
export const noneWords = ({ search, status, site, supplier }: ProcurementFilter, names: Names): string => {
  const parts = [
    search.trim() === "" ? null : `matches “${search.trim()}”`,
    status && `is ${status}`,
    site && `is for ${names.get(site) ?? "that site"}`,
    supplier && `is from ${names.get(supplier) ?? "that supplier"}`,
  ].filter((part) => part !== null);
  return `No order ${formatList(parts)}`.trimEnd();
};

/** In place of an empty list or board: there is nothing yet, or nothing of what was asked for. */
export const Nothing = ({ filter }: { filter: ProcurementFilter }) => {
  const { clear } = useAddress();
  const { names } = useDirectory();
  if (!isFiltered(filter))
    return (
      <NothingYet icon={IconArrowsExchange} title="No orders yet" link={["/jobs", "Open a job"]}>
        Place an order from a job’s basket, here or from your own program.
      </NothingYet>
    );
  return (
    <NothingMatches what={noneWords(filter, names)} onClear={clear}>
      {filter.search.trim() !== "" && "Search covers reference, plate, job number, supplier and ID."}
    </NothingMatches>
  );
};

/** Says aloud how many there are of what was asked for. */
export const Found = ({ filter, count }: { filter: ProcurementFilter; count: Total | undefined }) => (
  <span className="sr" role="status">
    {isFiltered(filter) && count ? `${formatTotal(count)} found` : ""}
  </span>
);

import { IconArrowsExchange } from "@tabler/icons-react";
import { LinkButton } from "../../../components/button.tsx";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import type { Names } from "../../../domain/directory/directory.ts";
import { isFiltered, type ProcurementFilter } from "../address.ts";
import { noneWords } from "./none-words.ts";

const NoOrders = () => (
  <NothingYet
    icon={IconArrowsExchange}
    title="No orders yet"
    actions={
      <LinkButton small href="/jobs">
        Open a job
      </LinkButton>
    }
  >
    An order placed from a job’s basket, here or by a partner’s program, shows up at once.
  </NothingYet>
);

/** In place of an empty list or board: there is nothing yet, or nothing of what was asked for. */
export const Nothing = ({
  filter,
  names,
  onClear,
}: {
  filter: ProcurementFilter;
  names: Names;
  onClear: () => void;
}) => {
  if (!isFiltered(filter)) return <NoOrders />;
  return (
    <NothingMatches what={noneWords(filter, names)} onClear={onClear}>
      {filter.search.trim() !== "" && "Reference, plate, job number, supplier and id are searched."}
    </NothingMatches>
  );
};

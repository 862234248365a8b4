import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { type JobFilter, type JobSort, sorts } from "./address.ts";
import { type JobColumn, numberColumn } from "./columns.tsx";

interface HeadProps {
  readonly columns: readonly JobColumn[];
  readonly filter: JobFilter;
  readonly onSort: (change: Pick<JobFilter, "sort" | "direction">) => void;
}

const ariaSort = { asc: "ascending", desc: "descending" } as const;

const Head = ({
  head,
  sort,
  right = false,
  filter,
  onSort,
}: Pick<HeadProps, "filter" | "onSort"> & {
  head: string;
  sort?: JobSort | undefined;
  right?: boolean | undefined;
}) => {
  if (sort === undefined)
    return (
      <th scope="col" className={right ? "r" : undefined}>
        {head}
      </th>
    );
  const on = filter.sort === sort;
  const { direction } = filter;
  const words = sorts[sort];
  const next = on ? (direction === "asc" ? "desc" : "asc") : words.usual;
  return (
    <th scope="col" aria-sort={on ? ariaSort[direction] : "none"}>
      <button
        type="button"
        className={`jobs-sort${on ? " on" : ""}`}
        title={`${on ? `Sorted ${words[direction]}. ` : ""}Sort ${words[next]}`}
        onClick={() => onSort({ sort, direction: next })}
      >
        {head}
        <Icon of={(on ? direction : words.usual) === "asc" ? IconArrowUp : IconArrowDown} size={12} />
      </button>
    </th>
  );
};

/** The columns by name; those the service sorts by are buttons. */
export const TableHead = ({ columns, filter, onSort }: HeadProps) => (
  <thead>
    <tr aria-rowindex={1}>
      <Head {...numberColumn} filter={filter} onSort={onSort} />
      {columns.map(({ name, head, sort, right }) => (
        <Head key={name} head={head} sort={sort} right={right} filter={filter} onSort={onSort} />
      ))}
    </tr>
  </thead>
);

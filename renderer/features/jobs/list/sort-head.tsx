import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { Icon } from "../../../components/icon.tsx";
import type { ListColumn } from "../../../components/list.tsx";
import { type JobFilter, sorts } from "../address.ts";
import type { JobColumn } from "./columns.tsx";
import styles from "./list.module.css";

const ariaSort = { asc: "ascending", desc: "descending" } as const;

/** A column as the table has it: the head of one that the service sorts by is a button. */
export const headed = (
  { sort, head, ...column }: Omit<JobColumn, "name"> & { readonly name: string },
  sorted: Pick<JobFilter, "sort" | "direction">,
  onSort: (change: Pick<JobFilter, "sort" | "direction">) => void,
): ListColumn<JobRow> => {
  if (sort === undefined) return { ...column, head };
  const on = sorted.sort === sort;
  const { direction } = sorted;
  const words = sorts[sort];
  const next = on ? (direction === "asc" ? "desc" : "asc") : words.usual;
  return {
    ...column,
    sorted: on ? ariaSort[direction] : "none",
    head: (
      <button
        type="button"
        className={`${styles.sort} ${on ? styles.on : ""}`}
        title={`${on ? `Sorted ${words[direction]}. ` : ""}Sort ${words[next]}`}
        onClick={() => onSort({ sort, direction: next })}
      >
        {head}
        <Icon of={(on ? direction : words.usual) === "asc" ? IconArrowUp : IconArrowDown} size={12} />
      </button>
    ),
  };
};

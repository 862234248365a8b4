import { IconChevronDown } from "@tabler/icons-react";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { Icon } from "../../../components/icon.tsx";
import styles from "./list.module.css";

interface Group {
  readonly title: string;
  readonly options: ReadonlyArray<{ readonly value: string; readonly name: ReactNode }>;
}

export interface ChipMenuProps {
  readonly name: string;
  readonly any: string;
  readonly value: string | null;
  /** What is chosen, in words. */
  readonly shown: ReactNode;
  readonly groups: readonly Group[];
  readonly onChange: (value: string | null) => void;
}

type Shown = Pick<ChipMenuProps, "name" | "value" | "shown">;

/** The chip: what it narrows by, or what it is narrowed to. */
export const ChipButton = ({
  name,
  value,
  shown,
  ...button
}: Shown & Omit<ComponentPropsWithRef<"button">, keyof Shown>) => (
  <button type="button" {...button} className={styles.chip} data-on={value === null ? undefined : true}>
    {value === null ? name : <span className="el">{shown}</span>}
    {value === null ? <Icon of={IconChevronDown} size={12} /> : <span className="sr">, change {name}</span>}
  </button>
);

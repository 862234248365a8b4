import { Menu } from "@mantine/core";
import { IconChevronDown, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon } from "../../../components/icon.tsx";
import styles from "./list.module.css";

interface Group {
  readonly title: string;
  readonly options: ReadonlyArray<{ readonly value: string; readonly name: ReactNode }>;
}

interface ChipMenuProps {
  readonly name: string;
  readonly any: string;
  readonly value: string | null;
  /** What is chosen, in words. */
  readonly shown: ReactNode;
  readonly groups: readonly Group[];
  readonly onChange: (value: string | null) => void;
  readonly onOpen?: () => void;
}

/** A chip with a menu: what the list is narrowed to by one thing, and the way back from it. */
export const ChipMenu = ({ name, any, value, shown, groups, onChange, onOpen }: ChipMenuProps) => (
  <span className={styles.joined}>
    <Menu position="bottom-start" width={320} onOpen={() => onOpen?.()}>
      <Menu.Target>
        <button type="button" className={styles.chip} data-on={value === null ? undefined : true}>
          {value === null ? name : <span className="el">{shown}</span>}
          {value === null ? <Icon of={IconChevronDown} size={12} /> : <span className="sr">, change {name}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        <Menu.RadioGroup aria-label={name} value={value ?? ""} onChange={(next) => onChange(next || null)}>
          <Menu.RadioItem value="" closeMenuOnClick>
            {any}
          </Menu.RadioItem>
          {groups.map(({ title, options }) => (
            <div key={title}>
              {options.length > 0 && <Menu.Label>{title}</Menu.Label>}
              {options.map((option) => (
                <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
                  <span className={styles.choice}>{option.name}</span>
                </Menu.RadioItem>
              ))}
            </div>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
    {value !== null && (
      <button type="button" className={styles.chip} data-on aria-label={any} title={any} onClick={() => onChange(null)}>
        <Icon of={IconX} size={12} />
      </button>
    )}
  </span>
);

import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { late } from "../../../lib/late.ts";
import { ChipButton, type ChipMenuProps } from "./chip-button.tsx";
import styles from "./list.module.css";

const menu = late(
  async () => (await import("./filter-chip-menu.tsx")).FilterChipMenu,
  ({ name, value, shown }: ChipMenuProps) => <ChipButton name={name} value={value} shown={shown} autoFocus />,
);

/** A chip with a menu, whose code nothing waits for until it is pressed: what the list is narrowed to by one thing. */
export const ChipMenu = (props: ChipMenuProps) => {
  const { name, any, value, shown, onChange } = props;
  const [isNeeded, setNeeded] = useState(false);
  return (
    <span className={styles.joined}>
      {isNeeded ? (
        <menu.Part {...props} />
      ) : (
        <ChipButton name={name} value={value} shown={shown} aria-haspopup="menu" onClick={() => setNeeded(true)} />
      )}
      {value !== null && (
        <button
          type="button"
          className={styles.chip}
          data-on
          aria-label={any}
          title={any}
          onClick={() => onChange(null)}
        >
          <Icon of={IconX} size={12} />
        </button>
      )}
    </span>
  );
};

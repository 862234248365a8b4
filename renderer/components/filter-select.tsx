import { Select } from "@mantine/core";

interface FilterOption {
  readonly value: string;
  readonly label: string;
}
interface FilterSelectProps {
  readonly name: string;
  /** The option that removes the filter. */
  readonly any: string;
  readonly value: string | null;
  readonly options:
    | readonly FilterOption[]
    | ReadonlyArray<{ readonly group: string; readonly items: readonly FilterOption[] }>;
  readonly onChange: (value: string | null) => void;
  readonly onOpen?: () => void;
}

/** Longer lists show this many options until the user types. */
const MAX_SHOWN_OPTIONS = 200;

/** A searchable filter. */
export const FilterSelect = ({ name, any, options, onOpen, ...chosen }: FilterSelectProps) => (
  <Select
    {...chosen}
    styles={chosen.value === null ? {} : { input: { background: "var(--accent-tint)" } }}
    size="xs"
    aria-label={name}
    placeholder={name}
    data={options.map((one) => ("items" in one ? { group: one.group, items: [...one.items] } : one))}
    searchable
    limit={MAX_SHOWN_OPTIONS}
    selectFirstOptionOnChange
    clearable
    clearButtonProps={{ "aria-label": any }}
    // A closed list isn't rendered.
    comboboxProps={{ width: 300, position: "bottom-start", keepMounted: false }}
    nothingFoundMessage="No matches"
    onDropdownOpen={() => onOpen?.()}
  />
);

/** Adds the selected value to the options, even if it is no longer offered. */
export const withChosen = (
  options: readonly FilterOption[],
  value: string | null,
  label = value,
): readonly FilterOption[] =>
  value === null || options.some((one) => one.value === value) ? options : [{ value, label: label ?? "" }, ...options];

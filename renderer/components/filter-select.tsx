import { Select } from "@mantine/core";

export interface FilterOption {
  readonly value: string;
  readonly label: string;
}
interface FilterSelectProps {
  readonly name: string;
  /** The way back to all of them. */
  readonly any: string;
  readonly value: string | null;
  readonly options:
    | readonly FilterOption[]
    | ReadonlyArray<{ readonly group: string; readonly items: readonly FilterOption[] }>;
  readonly onChange: (value: string | null) => void;
  readonly onOpen?: () => void;
}

/** Of more options the first are offered, until something is typed. */
const MOST_OFFERED = 200;

/** One thing that what is shown is narrowed by, found by its words. */
export const FilterSelect = ({ name, any, options, onOpen, ...chosen }: FilterSelectProps) => (
  <Select
    {...chosen}
    styles={chosen.value === null ? {} : { input: { background: "var(--accent-tint)" } }}
    size="xs"
    aria-label={name}
    placeholder={name}
    data={options.map((one) => ("items" in one ? { group: one.group, items: [...one.items] } : one))}
    searchable
    limit={MOST_OFFERED}
    selectFirstOptionOnChange
    clearable
    clearButtonProps={{ "aria-label": any }}
    // Closed, lists of what nobody asked for are not drawn.
    comboboxProps={{ width: 300, position: "bottom-start", keepMounted: false }}
    nothingFoundMessage="No matches"
    onDropdownOpen={() => onOpen?.()}
  />
);

/** What is chosen stands among what is offered, also where it is offered no more. */
export const withChosen = (
  options: readonly FilterOption[],
  value: string | null,
  label = value,
): readonly FilterOption[] =>
  value === null || options.some((one) => one.value === value) ? options : [{ value, label: label ?? "" }, ...options];

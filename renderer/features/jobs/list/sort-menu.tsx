import { ActionIcon, Menu } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { isDirection, isSort, type JobFilter, sorts } from "./address.ts";

/** The order of the list: by what, and which way. */
export const SortMenu = ({
  filter: { sort, direction },
  onNarrow,
}: {
  filter: JobFilter;
  onNarrow: (change: Partial<JobFilter>) => void;
}) => {
  const by = sorts[sort];
  const label = `Sort: ${by.name}, ${by[direction]}`;
  return (
    <Menu position="bottom-end" width={184}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" aria-label={label} title={label}>
          <Icon of={direction === "asc" ? IconSortAscending : IconSortDescending} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Sort by</Menu.Label>
        <Menu.RadioGroup
          aria-label="Sort by"
          value={sort}
          onChange={(next) => {
            if (isSort(next)) onNarrow({ sort: next, direction: sorts[next].usual });
          }}
        >
          {Object.entries(sorts).map(([value, { name }]) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>Direction</Menu.Label>
        <Menu.RadioGroup
          aria-label="Direction"
          value={direction}
          onChange={(next) => {
            if (isDirection(next)) onNarrow({ direction: next });
          }}
        >
          {(["desc", "asc"] as const).map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {by[value]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};

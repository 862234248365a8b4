import { ActionIcon, Menu } from "@mantine/core";
import { IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { directions, type JobFilter, jobSorts, sorts } from "../address.ts";

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
            const by = jobSorts.find((one) => one === next);
            if (by) onNarrow({ sort: by, direction: sorts[by].usual });
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
            const way = directions.find((one) => one === next);
            if (way) onNarrow({ direction: way });
          }}
        >
          {directions.map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {by[value]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};

import { Menu } from "@mantine/core";
import { IconArrowsSort, IconShield, IconSortAscending, IconSortDescending } from "@tabler/icons-react";
import { jobStates } from "../../../../sandbox/contract/values.ts";
import { IconButton } from "../../../components/button.tsx";
import { BackChip } from "../../../components/chip.tsx";
import { Icon } from "../../../components/icon.tsx";
import { FilterMenu, MenuChoice } from "../../../components/menu-choice.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import type { Directory } from "../../../domain/directory/directory.ts";
import { directions, everything, isSorted, type JobFilter, jobSorts, sorts } from "../address.ts";
import jobs from "../jobs.module.css";
import styles from "./list.module.css";
import { stateWords } from "./words.ts";

const states = jobStates.map((id) => ({ id, name: <State of={stateWords[id].mark}>{stateWords[id].word}</State> }));

/** Narrows to one state, one site, one insurer, or several of these. */
export const NarrowMenu = ({
  filter: { state, site, insurer },
  directory,
  onNarrow,
}: {
  filter: JobFilter;
  directory: Directory;
  onNarrow: (change: Partial<JobFilter>) => void;
}) => {
  const narrowed = state !== null || site !== null || insurer !== null;
  return (
    <FilterMenu label="Filter by state, site and insurer" narrowed={narrowed} className={jobs.menu}>
      <MenuChoice
        title="State"
        any="All states"
        options={states}
        value={state}
        onChange={(next) => onNarrow({ state: jobStates.find((one) => one === next) ?? null })}
      />
      <Menu.Divider />
      <MenuChoice
        title="Site"
        any="All sites"
        options={directory.sites}
        value={site}
        onChange={(next) => onNarrow({ site: next })}
      />
      <Menu.Divider />
      <MenuChoice
        title="Insurer"
        any="All insurers"
        options={directory.insurers}
        value={insurer}
        onChange={(next) => onNarrow({ insurer: next })}
      />
    </FilterMenu>
  );
};

interface Props {
  readonly filter: JobFilter;
  readonly directory: Directory;
  readonly onNarrow: (change: Partial<JobFilter>) => void;
  /** The order is told by the heads of a table already. */
  readonly sortedByHead?: boolean;
}

/** What the list is narrowed to and ordered by, each a click from being taken back; nothing when all is as usual. */
export const FilterChips = ({ filter, directory: { names }, onNarrow, sortedByHead = false }: Props) => {
  const { state, site, insurer, sort, direction } = filter;
  const sorted = !sortedByHead && isSorted(filter);
  if (state === null && site === null && insurer === null && !sorted) return null;
  const siteName = site && (names.get(site) ?? site);
  const insurerName = insurer && (names.get(insurer) ?? insurer);
  return (
    <div className={`row row-1 wrap ${styles.chips}`}>
      {state && (
        <BackChip
          label={`Show all states, not only ${stateWords[state].word}`}
          onClick={() => onNarrow({ state: null })}
        >
          <State of={stateWords[state].mark}>{stateWords[state].word}</State>
        </BackChip>
      )}
      {siteName && (
        <BackChip label={`Show all sites, not only ${siteName}`} onClick={() => onNarrow({ site: null })}>
          <SideGlyph side="repairer" />
          <span className="el">{siteName}</span>
        </BackChip>
      )}
      {insurerName && (
        <BackChip label={`Show all insurers, not only ${insurerName}`} onClick={() => onNarrow({ insurer: null })}>
          <Icon of={IconShield} size={12} />
          <span className="el">{insurerName}</span>
        </BackChip>
      )}
      {sorted && (
        <BackChip
          label={`Show what changed last first, not ${sorts[sort].name}, ${sorts[sort][direction]}`}
          onClick={() => onNarrow({ sort: everything.sort, direction: everything.direction })}
        >
          <Icon of={IconArrowsSort} size={12} />
          <span className="el">
            {sorts[sort].name}, {sorts[sort][direction]}
          </span>
        </BackChip>
      )}
    </div>
  );
};

/** The order of the list: by what, and which way. */
export const SortMenu = ({
  filter: { sort, direction },
  onNarrow,
}: {
  filter: JobFilter;
  onNarrow: (change: Partial<JobFilter>) => void;
}) => {
  const by = sorts[sort];
  return (
    <Menu position="bottom-end" width={184}>
      <Menu.Target>
        <IconButton
          icon={direction === "asc" ? IconSortAscending : IconSortDescending}
          label={`Sort: ${by.name}, ${by[direction]}`}
        />
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

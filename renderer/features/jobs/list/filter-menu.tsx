import { ActionIcon, Menu } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { jobStates } from "../../../../sandbox/contract/values.ts";
import { Icon } from "../../../components/icon.tsx";
import { MenuChoice } from "../../../components/menu-choice.tsx";
import { State } from "../../../components/state.tsx";
import type { Directory } from "../../../domain/directory/directory.ts";
import type { JobFilter } from "../address.ts";
import jobs from "../jobs.module.css";
import { stateWords } from "./words.ts";

const states = jobStates.map((id) => ({ id, name: <State of={stateWords[id].mark}>{stateWords[id].word}</State> }));

/** Narrows to one state, one site, one insurer, or several of these. */
export const FilterMenu = ({
  filter: { state, site, insurer },
  directory,
  onNarrow,
}: {
  filter: JobFilter;
  directory: Directory;
  onNarrow: (change: Partial<JobFilter>) => void;
}) => {
  const narrowed = state !== null || site !== null || insurer !== null;
  const label = "Filter by state, site and insurer";
  return (
    <Menu position="bottom-end" width={248}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" aria-label={label} title={label}>
          <Icon of={narrowed ? IconFilterFilled : IconFilter} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={jobs.menu}>
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
      </Menu.Dropdown>
    </Menu>
  );
};

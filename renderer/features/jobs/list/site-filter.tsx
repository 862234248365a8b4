import { ActionIcon, Menu } from "@mantine/core";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { Icon } from "../../../components/icon.tsx";
import { useOwnSites } from "../queries.ts";

interface SiteFilterProps {
  readonly rows: readonly JobRow[];
  readonly value: string | null;
  readonly onChange: (siteId: string | null) => void;
}

/** Every site there is a job of in sight, and those of the repairers whose key the sandbox holds. */
export const useSites = (rows: readonly JobRow[]): ReadonlyMap<string, string> => {
  const own = useOwnSites();
  const all = [...own, ...rows.map(({ site }) => site)].map(({ id, name }) => [id, name] as const);
  return new Map(all.toSorted(([, a], [, b]) => a.localeCompare(b)));
};

/** Narrows the list to one site. */
export const SiteFilter = ({ rows, value, onChange }: SiteFilterProps) => {
  const sites = useSites(rows);
  const name = value === null ? null : (sites.get(value) ?? "one site");
  const label = name === null ? "Filter by site" : `Filter by site: ${name}`;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="sm" aria-label={label} title={label}>
          <Icon of={value === null ? IconFilter : IconFilterFilled} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Site</Menu.Label>
        <Menu.RadioGroup value={value ?? ""} onChange={(next) => onChange(next || null)}>
          <Menu.RadioItem value="" closeMenuOnClick>
            All sites
          </Menu.RadioItem>
          {[...sites].map(([id, siteName]) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {siteName}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};

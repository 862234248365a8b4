import { IconArrowsSort, IconShield } from "@tabler/icons-react";
import { BackChip } from "../../../components/chip.tsx";
import { Icon } from "../../../components/icon.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { everything, isSorted, sorts } from "../address.ts";
import styles from "./list.module.css";
import { NarrowMenu, type NarrowProps } from "./menus.tsx";
import { stateWords } from "./words.ts";

/** The search, and what else the list is narrowed to. */
export const Narrowing = ({ placeholder, ...of }: NarrowProps & { placeholder: string }) => (
  <>
    <SearchField
      label="Search jobs"
      placeholder={placeholder}
      value={of.filter.search}
      onChange={(text) => of.onNarrow({ search: text })}
    />
    <NarrowMenu {...of} />
  </>
);

interface Props extends NarrowProps {
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
          label={`Sort by last changed, not ${sorts[sort].name}, ${sorts[sort][direction]}`}
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

import { IconArrowsSort, IconShield, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon } from "../../../components/icon.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import type { Directory } from "../../../domain/directory/directory.ts";
import { everything, isSorted, type JobFilter, sorts } from "../address.ts";
import styles from "./list.module.css";
import { stateWords } from "./words.ts";

interface Props {
  readonly filter: JobFilter;
  readonly directory: Directory;
  readonly onNarrow: (change: Partial<JobFilter>) => void;
  /** The order is told by the heads of a table already. */
  readonly sortedByHead?: boolean;
}

const Back = ({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) => (
  <button type="button" className="chip" aria-label={label} onClick={onClick}>
    {children}
    <Icon of={IconX} size={12} />
  </button>
);

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
        <Back label={`Show all states, not only ${stateWords[state].word}`} onClick={() => onNarrow({ state: null })}>
          <State of={stateWords[state].mark}>{stateWords[state].word}</State>
        </Back>
      )}
      {siteName && (
        <Back label={`Show all sites, not only ${siteName}`} onClick={() => onNarrow({ site: null })}>
          <SideGlyph side="repairer" />
          <span className="el">{siteName}</span>
        </Back>
      )}
      {insurerName && (
        <Back label={`Show all insurers, not only ${insurerName}`} onClick={() => onNarrow({ insurer: null })}>
          <Icon of={IconShield} size={12} />
          <span className="el">{insurerName}</span>
        </Back>
      )}
      {sorted && (
        <Back
          label={`Show what changed last first, not ${sorts[sort].name}, ${sorts[sort][direction]}`}
          onClick={() => onNarrow({ sort: everything.sort, direction: everything.direction })}
        >
          <Icon of={IconArrowsSort} size={12} />
          <span className="el">
            {sorts[sort].name}, {sorts[sort][direction]}
          </span>
        </Back>
      )}
    </div>
  );
};

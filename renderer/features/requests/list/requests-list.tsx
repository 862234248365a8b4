import { IconListDetails, IconX } from "@tabler/icons-react";
import { type ReactNode, useCallback } from "react";
import type { RequestRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { useLiveList } from "../../../app/live/live-list.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Count, List } from "../../../components/list.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { ListHead } from "../../../components/split.tsx";
import { pluralTotal } from "../../../lib/formatting.ts";
import { isId, useAsked } from "../../../lib/search-params.ts";
import { compareHref, isFiltered, useFilter } from "../addresses.ts";
import { keyOfRequest, requestList } from "../queries.ts";
import { useSelection } from "../selection-store.ts";
import { ExportActions } from "./export-actions.tsx";
import {
  AgentChip,
  AnswerChip,
  type Narrowing,
  OperationChip,
  OriginChip,
  TimeChip,
  WhoChip,
} from "./filter-menus.tsx";
import styles from "./list.module.css";
import { RequestRow } from "./request-row.tsx";

const ToggleChip = ({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: ReactNode }) => (
  <button type="button" className={styles.chip} aria-pressed={on} onClick={onToggle}>
    {children}
  </button>
);

const toggles = [
  { name: "refused", word: "Refused" },
  { name: "changes", word: "Accepted changes" },
  { name: "faulted", word: "Hit a fault" },
  { name: "pinned", word: "Pinned" },
  { name: "unrouted", word: "No operation" },
] as const;

/** What is searched for: it survives a reload, and without it the list may look as if there were no calls. */
const SearchChip = ({ filter: { search }, narrow }: Narrowing) =>
  search === "" ? null : (
    <button
      type="button"
      className={styles.chip}
      data-on
      title="Clear the search"
      onClick={() => narrow({ search: "" })}
    >
      <span className="el">“{search}”</span> clear
      <Icon of={IconX} size={12} />
    </button>
  );

const Chips = (narrowing: Narrowing) => {
  const { filter, narrow } = narrowing;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a part of a form; these narrow a list
    <div className="row row-1 wrap" role="group" aria-label="Filter calls">
      <SearchChip {...narrowing} />
      {toggles.map(({ name, word }) => (
        <ToggleChip key={name} on={filter[name]} onToggle={() => narrow({ [name]: !filter[name] })}>
          {word}
        </ToggleChip>
      ))}
      <WhoChip {...narrowing} />
      {filter.who !== null && isId(filter.who) && (
        <TextLink href={hrefs.integration(filter.who)} title="Completed and remaining checks of this integration">
          Readiness
        </TextLink>
      )}
      <OriginChip {...narrowing} />
      <AgentChip {...narrowing} />
      <OperationChip {...narrowing} />
      <AnswerChip {...narrowing} />
      <TimeChip {...narrowing} />
    </div>
  );
};

const Nothing = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) => {
  const world = useWorld();
  return filtered ? (
    <NothingMatches what="No matching calls" onClear={onClear}>
      Search covers path, outcome, label, error code and job in world {world}, plus headers and bodies of the newest
      1,000 calls.
    </NothingMatches>
  ) : (
    <NothingYet icon={IconListDetails} title="No calls yet" link={["/console", "Open Console"]}>
      Send one from the Console or your own program.
    </NothingYet>
  );
};

/**
 * Every call from anyone, newest first. `comparing` is the call another one is looked for to be compared with: a row
 * then leads to both.
 */
export const RequestsList = ({ selected, comparing }: { selected: string | null; comparing: string | null }) => {
  const { filter, narrow, clear } = useFilter(selected === null);
  const asked = useAsked(filter);
  const list = useLiveList(requestList(useWorld(), asked));
  const hrefOf = useCallback(
    ({ id }: Row) => (comparing === null || comparing === id ? hrefs.request(id) : compareHref(comparing, id)),
    [comparing],
  );
  const { ids: picked, toggle } = useSelection();
  const render = useCallback(
    (row: Row) => <RequestRow row={row} search={asked.search} picked={picked?.has(row.id)} />,
    [asked.search, picked],
  );
  const pick = useCallback(({ id }: Row) => toggle(id), [toggle]);
  const filtered = isFiltered(asked);
  return (
    <>
      <ListHead
        title="Requests"
        count={list.counted && <Count of={list.counted} />}
        actions={<ExportActions filter={asked} any={list.items.length > 0} />}
      >
        <SearchField
          label="Search the calls"
          placeholder="Path, header, body, outcome, id"
          value={filter.search}
          onChange={(search) => narrow({ search })}
        />
        <Chips filter={filter} narrow={narrow} />
        <span className="sr" role="status">
          {filtered && list.counted ? `${pluralTotal(list.counted, "call")} found` : ""}
        </span>
      </ListHead>
      <List
        of={list}
        label="Requests"
        what="the calls"
        empty={<Nothing filtered={filtered} onClear={clear} />}
        keyOf={keyOfRequest}
        {...(picked === null ? { hrefOf } : { onChoose: pick })}
        render={render}
        selected={selected}
      />
    </>
  );
};

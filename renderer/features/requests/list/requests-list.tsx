import { IconListDetails, IconX } from "@tabler/icons-react";
import { type ReactNode, useCallback } from "react";
import type { RequestRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { ListPlace, useListFilter } from "../../../app/list-place.tsx";
import { useLiveList } from "../../../app/live/live-list.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { NothingMatches, NothingYet } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { requestParams } from "../../../domain/exchange/filter.ts";
import { isId } from "../../../lib/search-params.ts";
import { compareHref } from "../addresses.ts";
import { requestList } from "../queries.ts";
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

const noCalls = (
  <NothingYet icon={IconListDetails} title="No calls yet" link={["/console", "Open Console"]}>
    Send one from the Console or your own program.
  </NothingYet>
);

/**
 * Every call from anyone, newest first. `comparing` is the call another one is looked for to be compared with: a row
 * then leads to both.
 */
export const RequestsList = ({ selected, comparing }: { selected: string | null; comparing: string | null }) => {
  const world = useWorld();
  const state = useListFilter(requestParams, "requests", { isSaid: selected === null });
  const { asked } = state;
  const list = useLiveList(requestList(world, asked));
  const hrefOf = useCallback(
    ({ id }: Row) => (comparing === null || comparing === id ? hrefs.request(id) : compareHref(comparing, id)),
    [comparing],
  );
  const render = useCallback((row: Row) => <RequestRow row={row} search={asked.search} />, [asked.search]);
  return (
    <ListPlace
      of={list}
      title="Requests"
      nouns={["call", "calls"]}
      search={["Search the calls", "Path, header, body, outcome, id"]}
      state={state}
      actions={<ExportActions filter={asked} any={list.items.length > 0} />}
      empty={noCalls}
      none={
        <NothingMatches what="No matching calls" onClear={state.clear}>
          Search covers path, outcome, label, error code and job in world {world}, plus headers and bodies of the newest
          1,000 calls.
        </NothingMatches>
      }
      hrefOf={hrefOf}
      render={render}
      selected={selected}
    >
      <Chips {...state} />
    </ListPlace>
  );
};

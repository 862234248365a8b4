import { EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useCallback } from "react";
import { isRefused } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { BackChip } from "../../../components/chip.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { requestParams } from "../../../domain/exchange/filter.ts";
import { OperationName } from "../../../domain/exchange/operation.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { callOutcome } from "../../../domain/trace/verdict.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { ListPlace, useListFilter } from "../../../kernel/lists/list-place.tsx";
import { useLiveList } from "../../../kernel/lists/live-list.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { isId } from "../../../lib/search-params.ts";
import { compareHref } from "../addresses.ts";
import { requestList } from "../queries.ts";
import { ExportActions } from "./export-actions.tsx";
import { FilterMenus, type Narrowing } from "./filter-menus.tsx";
import styles from "./list.module.css";

const toggles = [
  { name: "refused", word: "Refused" },
  { name: "changes", word: "Changes" },
  { name: "faulted", word: "Hit a fault" },
  { name: "unrouted", word: "No operation" },
] as const;

/** Active filters, each removable by a click, and the available ones. */
export const Chips = (narrowing: Narrowing) => {
  const { filter, narrow } = narrowing;
  const { search, who } = filter;
  return (
    <Stack gap={4} role="group" aria-label="Filter calls">
      <Group gap={4} wrap="wrap">
        {/* The search survives a reload, so an empty list needs an explanation. */}
        {search !== "" && (
          <BackChip label={`“${search}” clear`} onClick={() => narrow({ search: "" })}>
            <Text truncate>“{search}”</Text>
          </BackChip>
        )}
        {toggles.map(({ name, word }) => (
          <button
            key={name}
            type="button"
            className={styles.chip}
            aria-pressed={filter[name]}
            onClick={() => narrow({ [name]: !filter[name] })}
          >
            {word}
          </button>
        ))}
        {who !== null && isId(who) && (
          <TextLink href={hrefs.integration(who)} title="Completed and remaining checks of this integration">
            Readiness
          </TextLink>
        )}
      </Group>
      <FilterMenus {...narrowing} />
    </Stack>
  );
};

/** Text with the search term highlighted. */
const Found = ({ text, search }: { text: string; search: string }) => {
  const at = search === "" ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  );
};

/** Names the test values of a call, so that nobody investigates a requested failure. */
const testValuesTitle = (met: NonNullable<Row["test_values"]>): string =>
  met.map(({ value, sentence }) => `${value}: ${sentence}`).join("\n");

/** A call in the list: label, response, record and time. */
const RequestRow = ({ row, search }: { row: Row; search: string }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="cut" style={{ flex: row.operation === null ? "0 1 auto" : "none" }} title={callTitle(row)}>
          <Found text={callTitle(row)} search={search} />
        </span>
        {row.operation !== null && (
          <span className={styles.operation}>
            <OperationName name={row.operation} />
          </span>
        )}
      </>
    }
    aside={
      <span className="li-state">
        <HttpStatus status={row.status} />
      </span>
    }
    detail={
      <span className={styles.about} title={[row.label, row.outcome].filter(Boolean).join(": ")}>
        {row.test_values && (
          <em title={testValuesTitle(row.test_values)}>
            {row.test_values.some(({ known }) => known) ? "test value, " : "unknown test value, "}
          </em>
        )}
        {row.label !== null && (
          <b>
            <Found text={row.label} search={search} />{" "}
          </b>
        )}
        {isRefused(row) && <em>refused, </em>}
        {search === "" && row.reason ? (
          <Sentence text={row.reason} />
        ) : (
          <Found text={search === "" ? callOutcome(row) : row.outcome} search={search} />
        )}
      </span>
    }
    state={
      <span data-variant="aside">
        <Time at={row.at} as="clock" on="real" />
        <span> · {formatMs(row.duration_ms)}</span>
      </span>
    }
  />
);

const noCalls = (
  <EmptyState
    icon={<IconListDetails />}
    title="No calls yet"
    description="Send one from the Console or your own program."
  >
    <LinkButton small href="/console">
      Open Console
    </LinkButton>
  </EmptyState>
);

/** All calls, newest first. `comparing` is the first call of a comparison: rows then choose the second. */
export const RequestsList = ({ selected, comparing }: { selected: string | null; comparing: string | null }) => {
  const world = useWorld();
  const state = useListFilter(requestParams, "requests", { isInAddress: selected === null });
  const { debouncedFilter } = state;
  const list = useLiveList(requestList(world, debouncedFilter));
  const hrefOf = useCallback(
    ({ id }: Row) => (comparing === null || comparing === id ? hrefs.request(id) : compareHref(comparing, id)),
    [comparing],
  );
  const render = useCallback(
    (row: Row) => <RequestRow row={row} search={debouncedFilter.search} />,
    [debouncedFilter.search],
  );
  return (
    <ListPlace
      of={list}
      title="Requests"
      nouns={["call", "calls"]}
      search={["Search calls", "Path, header, body, outcome, ID"]}
      state={state}
      actions={<ExportActions filter={debouncedFilter} any={list.items.length > 0} />}
      empty={noCalls}
      none={[
        "No matching calls",
        `Search covers path, outcome, label, error code and job in world ${world}, plus headers and bodies of the newest 1,000 calls. Bodies of calls to unknown operations aren’t kept.`,
      ]}
      hrefOf={hrefOf}
      render={render}
      selected={selected}
    >
      <Chips {...state} />
    </ListPlace>
  );
};

import { Box, Group, Text } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../../../components/icon.tsx";
import { Kbd } from "../../../components/kbd.tsx";
import { places } from "../../places.ts";
import { useWorld } from "../../world.ts";
import { actionsHere, useActions, useClockActions, useOtherWorlds, useWorldActions } from "./actions.tsx";
import { chosenAt, type KnownEntry, known, matchedPieces, matchesWords, type PaletteEntry } from "./entry.ts";
import { useFound, useRecentRequests } from "./found.tsx";
import { assumptionEntries, errorCodeEntries, pageEntries, settingEntries, useOperationEntries } from "./interface.tsx";

/** As much as the service looks for. */
const MOST_TYPED = 256;
/** There are many, and who looks for one types more of its name. */
const MOST_OPERATIONS = 12;

/** What the palette offers for a search, in groups; empty groups are left out. */
const usePaletteGroups = (search: string) => {
  const [, go] = useLocation();
  const found = useFound(search, go);
  const recent = useRecentRequests(search, go);
  const actions = useActions(go);
  const worlds = useOtherWorlds(go);
  const typed = search.trim() !== "";
  const worldActions = useWorldActions(typed);
  const clockActions = useClockActions(typed, go);
  const operations = useOperationEntries(search, go);
  const world = useWorld();
  const ofPlaces = places.map(({ name, icon, title, letter, path }) =>
    known(`place-${name}`, icon, title, "go to", () => go(path), <Kbd keys={`g ${letter}`} />),
  );
  const matching = (entries: readonly KnownEntry[]) =>
    entries.filter((entry) => matchesWords(`${entry.label} ${entry.words}`, search));
  const groups: ReadonlyArray<{ readonly title: string; readonly entries: readonly PaletteEntry[] }> = [
    { title: "Here", entries: matching(actionsHere()) },
    { title: "Go to", entries: matching(typed ? [...ofPlaces, ...pageEntries(world, go)] : ofPlaces) },
    { title: "Jobs", entries: found.jobs },
    { title: "Orders", entries: found.procurements },
    { title: "Integrations", entries: found.integrations },
    { title: "Subscriptions", entries: found.subscriptions },
    { title: "Organizations", entries: found.organizations },
    { title: "Deliveries", entries: found.deliveries },
    { title: "Calls", entries: found.exchanges.length > 0 ? found.exchanges : recent },
    { title: "Operations", entries: typed ? matching(operations).slice(0, MOST_OPERATIONS) : [] },
    { title: "Error codes", entries: typed ? matching(errorCodeEntries(go)) : [] },
    { title: "World", entries: matching([...worldActions, ...clockActions, ...(typed ? worlds : worlds.slice(0, 3))]) },
    { title: "Actions", entries: matching(actions) },
    {
      title: "Settings",
      entries: typed ? matching([...settingEntries(go), ...assumptionEntries(world, go)]) : [],
    },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), searching: found.searching };
};

const Option = ({
  entry,
  id,
  active,
  search,
  onPoint,
  onChoose,
}: {
  entry: PaletteEntry;
  id: string;
  active: boolean;
  search: string;
  onPoint: () => void;
  onChoose: () => void;
}) => (
  <Group
    id={id}
    role="option"
    aria-selected={active}
    className={`palette-option${active ? " sel" : ""}`}
    onPointerMove={onPoint}
    onClick={onChoose}
  >
    <Icon of={entry.icon} size={14} />
    <Text truncate>
      {matchedPieces(entry.label, search).map(([text, matched]) => (matched ? <b key={text}>{text}</b> : text))}
    </Text>
    <Box component="span" flex={1} />
    {entry.aside}
    {active && (
      <span aria-hidden="true">
        <Kbd keys="enter" />
      </span>
    )}
  </Group>
);

/** The search over everything, with what it finds. */
export const PaletteBody = ({ onClose }: { onClose: () => void }) => {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const { groups, searching } = usePaletteGroups(search);
  const world = useWorld();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  // At once: who opens it types on without waiting.
  useLayoutEffect(() => input.current?.focus(), []);
  const entries = groups.flatMap((group) => group.entries);
  const optionId = (entry: PaletteEntry) => `${id}-${entry.id}`;
  const index = chosenAt(entries, chosen);
  const active = entries[index];
  useEffect(() => {
    list.current?.querySelectorAll("[role=option]")[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);

  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: (index + 1) % Math.max(1, entries.length),
      ArrowUp: (Math.max(0, index) + entries.length - 1) % Math.max(1, entries.length),
      PageDown: Math.min(entries.length - 1, index + 8),
      PageUp: Math.max(0, index - 8),
    };
    const to = moves[event.key];
    if (to === undefined && (event.key !== "Enter" || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (to === undefined) choose(active);
    else setChosen(entries[to]?.id ?? null);
  };

  return (
    <>
      <Group className="palette-search">
        <Icon of={IconSearch} />
        <input
          ref={input}
          data-autofocus={true}
          type="text"
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active) : undefined}
          maxLength={MOST_TYPED}
          placeholder="Place, plate, reference, operation, error code"
          spellCheck={false}
          autoComplete="off"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Kbd keys="esc" />
      </Group>
      <div ref={list} className="palette-list" role="listbox" id={`${id}-list`} aria-label="Search results">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no form
          <div key={group.title} role="group" aria-label={group.title}>
            <div className="palette-title" aria-hidden="true">
              {group.title}
            </div>
            {group.entries.map((entry) => (
              <Option
                key={entry.id}
                entry={entry}
                id={optionId(entry)}
                active={entry === active}
                search={search}
                onPoint={() => setChosen(entry.id)}
                onChoose={() => choose(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <p className="palette-none" role="status">
          {searching ? "Searching" : `No results for “${search}” in world ${world}`}
        </p>
      )}
    </>
  );
};

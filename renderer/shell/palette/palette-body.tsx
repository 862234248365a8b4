import { Group, Text } from "@mantine/core";
import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../../components/icon.tsx";
import { KeyHint } from "../../components/key-hint.tsx";
import { Time } from "../../components/time.tsx";
import { Boundary } from "../../kernel/place/boundary.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { ServiceUnreachable } from "../../lib/service-failure.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { useCommands } from "./commands.ts";
import type { Entry } from "./entry.ts";
import { useFound } from "./found.ts";
import { searchStore } from "./store.ts";

/** The longest text that the service searches for. */
const MAX_TYPED_CHARS = 256;

const Aside = ({ entry: { aside, at, keys } }: { entry: Entry }) => (
  <Group component="span">
    <Text size="sm" truncate>
      {aside}
    </Text>
    {at && (
      <Text size="sm">
        <Time at={at} on="real" />
      </Text>
    )}
    {keys && (
      <span>
        <KeyHint keys={keys} />
      </span>
    )}
  </Group>
);

/**
 * The library marks the selected row with an attribute in the DOM, not in React. Reports that row to screen readers,
 * and marks the first row if there is none.
 */
const useSelected = (list: string) => {
  const [selected, setSelected] = useState<string>();
  const follow = () => {
    const rows = document.getElementById(list);
    const marked = rows?.querySelector("[data-selected]");
    const first = rows?.querySelector("[data-action]");
    if (!marked && first) {
      first.setAttribute("data-selected", "true");
      searchStore.updateState((state) => ({ ...state, selected: 0 }));
    }
    setSelected((marked ?? first)?.id);
  };
  useEffect(follow);
  return { selected, followLater: () => queueMicrotask(follow) };
};

/** The reason for a failed search, and the next step. */
const failedWords = (error: Error): string =>
  `${error.message} ${error instanceof ServiceUnreachable ? "Retrying when the connection is back." : "Change the text to search again."}`;

/** Says which other worlds were searched. @param skipped the number of those that weren’t */
const otherWorldsWords = (skipped: number): string =>
  skipped === 0 ? " or any other" : ` or other recent worlds; ${plural(skipped, "world")} not searched`;

/** The search field and its results; the service's results are last, so that they don't move the others. */
const Found = () => {
  const [, go] = useLocation();
  const [search, setSearch] = useState("");
  const world = useWorld();
  const id = useId();
  const idOf = (entry: Entry) => `${id}-${entry.id.replace(/\W+/g, "-")}`;
  const { selected, followLater } = useSelected(id);
  const commands = useCommands(search, go);
  const found = useFound(search, go);
  const groups = [...commands, ...found.groups].filter(({ entries }) => entries.length > 0);
  const isEmpty = groups.length === 0;
  // Enter during a search opens its first result.
  const [entered, setEntered] = useState(false);
  useEffect(() => {
    if (!entered || found.searching) return;
    setEntered(false);
    if (!isEmpty) document.getElementById(id)?.querySelector<HTMLElement>("[data-action]")?.click();
  }, [entered, found.searching, isEmpty, id]);
  return (
    <>
      <Spotlight.Search
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded={groups.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={selected}
        autoFocus
        maxLength={MAX_TYPED_CHARS}
        placeholder="Place, plate, reference, operation, error code"
        spellCheck={false}
        autoComplete="off"
        leftSection={<Icon of={IconSearch} />}
        rightSection={<KeyHint keys="esc" />}
        value={search}
        onKeyDown={({ key }) => {
          if (key === "Enter" && isEmpty && found.searching) setEntered(true);
          followLater();
        }}
        onChange={(event) => {
          setEntered(false);
          setSearch(event.currentTarget.value);
          followLater();
        }}
      />
      <Spotlight.ActionsList id={id} role="listbox" aria-label="Search results" mah="min(440px, 60vh)">
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.title} label={group.title} role="group" aria-label={group.title}>
            {group.entries.map((entry) => (
              <Spotlight.Action
                key={entry.id}
                // The library doesn't pass an `id` on.
                ref={(element) => void element?.setAttribute("id", idOf(entry))}
                role="option"
                aria-selected={idOf(entry) === selected}
                label={entry.label}
                {...(entry.reason === undefined ? {} : { description: entry.reason })}
                leftSection={<Icon of={entry.icon} size={14} />}
                rightSection={<Aside entry={entry} />}
                onClick={entry.run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
      </Spotlight.ActionsList>
      {found.error && (
        <Spotlight.Empty role="status">
          Couldn’t search world {world}. {failedWords(found.error)}
        </Spotlight.Empty>
      )}
      {isEmpty && !found.error && (
        <Spotlight.Empty role="status">
          {found.searching
            ? "Searching"
            : `No results for “${search}” in world ${world}${worldAccess() === null ? otherWorldsWords(found.skippedWorlds) : ""}`}
        </Spotlight.Empty>
      )}
    </>
  );
};

/** The dialog of the global search. */
export const PaletteDialog = () => (
  <Spotlight.Root
    store={searchStore}
    shortcut={null}
    returnFocus={false}
    size={560}
    yOffset="10vh"
    overlayProps={{ backgroundOpacity: 0.35 }}
    // No transition: the next key must reach the place.
    transitionProps={{ duration: 0 }}
    attributes={{ content: { "aria-label": "Search or jump to" } }}
  >
    <Boundary title="The search">
      <Found />
    </Boundary>
  </Spotlight.Root>
);

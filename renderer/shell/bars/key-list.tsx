import { Group, Stack, Text } from "@mantine/core";
import { KeyHint } from "../../components/key-hint.tsx";
import { TextLink } from "../../components/link.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { type KeyGroup, useKeyGroups } from "../../lib/key-bindings.ts";

/** The keys of the place first, then lists, then the frame's. */
const order = ["Lists", "Everywhere", "Go to"];
const rankOf = (title: string) => order.indexOf(title);

/** Bindings by title; those with the same label share a line. */
const groupBindings = (groups: readonly KeyGroup[]) => {
  const byTitle = new Map<string, Map<string, Set<string>>>();
  for (const { title, bindings } of groups) {
    const labels = byTitle.get(title) ?? new Map<string, Set<string>>();
    for (const { label, keys } of bindings) labels.set(label, new Set([...(labels.get(label) ?? []), ...keys]));
    byTitle.set(title, labels);
  }
  return [...byTitle]
    .map(([title, labels]) => ({
      title,
      bindings: [...labels].map(([label, keys]) => ({ label, keys: [...keys] })),
    }))
    .sort((a, b) => rankOf(a.title) - rankOf(b.title));
};

const words: readonly (readonly [word: string, meaning: string])[] = [
  ["contract", "The agreed API. The sandbox follows it."],
  ["assumption", "What the sandbox does where the contract is silent. You can change some in each world."],
  ["extension", "What the sandbox offers in addition to the contract."],
  ["world", "A separate copy of the sandbox with its own data, clock, settings and faults."],
  ["trace", "One call with its changes, events, deliveries and attempts."],
  ["wire", "The drawer below, with the last calls, their requests and responses."],
  ["drill", "A faulty or repeated notification that tests a receiver."],
];

/** The glossary, and all keys that work now. */
export const KeyList = () => {
  const groups = useKeyGroups();
  const charactersAct = useUi((state) => state.characterKeys);
  return (
    <>
      <Stack component="dl" gap="xs" fz="sm" lh="sm" className="words">
        {words.map(([word, meaning]) => (
          <div key={word}>
            <Text component="dt" fw={500} c="bright">
              {word}
            </Text>
            <dd>{meaning}</dd>
          </div>
        ))}
      </Stack>
      <div className="key-help">
        {groupBindings(groups).map((group) => (
          <section key={group.title}>
            <Text component="h3" variant="label">
              {group.title}
            </Text>
            <dl>
              {group.bindings.map((binding) => (
                <Group key={binding.label}>
                  <dt>{binding.label}</dt>
                  <Group component="dd" gap="xs">
                    {binding.keys.slice(0, 2).map((keys) => (
                      <Group key={keys} component="span" gap="xs" className="alt">
                        <KeyHint keys={keys} />
                      </Group>
                    ))}
                  </Group>
                </Group>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Text component="p" variant="aside">
        Shortcuts are off while typing, except Escape and those with <KeyHint keys="mod" />. A shortcut that changes
        data works only while the focus is in the open item: click the item, or press Enter on its row again.
      </Text>
      <Text component="p" variant="aside">
        {charactersAct
          ? "Single-key shortcuts can be turned off in "
          : "Single-key shortcuts are off. Turn them on in "}
        <TextLink href={hrefs.setting("keys")} onFollow={() => useUi.setState({ keysOpen: false })}>
          Settings
        </TextLink>
        .
      </Text>
    </>
  );
};

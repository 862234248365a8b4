import { Group, Text, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { useFinding } from "../../lib/finding.ts";
import { restoreFocus } from "../../lib/focus.ts";
import { formatCount } from "../../lib/formatting.ts";
import { MAX_MATCHES, textRanges } from "../../lib/text-ranges.ts";
import "./find-bar.css";

/** How long to collect changes of the page before searching it again, in milliseconds. */
const SEARCH_DELAY_MS = 150;

/** Returns the element to search: the dialog on top, else the page. */
const searched = (): Element =>
  [...document.querySelectorAll("[role=dialog][aria-modal=true]")].at(-1) ??
  document.querySelector(".app") ??
  document.body;

/** Returns the search field of the visible list, which covers all its rows; null without one. */
const listSearch = (): HTMLInputElement | null => {
  const fields = [...searched().querySelectorAll<HTMLInputElement>("input[type=search]")];
  return fields.find((field) => field.checkVisibility()) ?? null;
};

/** Enters the text into the list's search field. */
const searchList = (field: HTMLInputElement, text: string) => {
  // The native setter bypasses React's value tracking; otherwise React ignores the event.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
};

const mark = (ranges: readonly Range[], current: Range | undefined) => {
  const others = ranges.filter((range) => range !== current);
  CSS.highlights?.set("find", new Highlight(...others));
  CSS.highlights?.set("find-current", new Highlight(...(current ? [current] : [])));
};

const scrollTo = ({ startContainer }: Range) =>
  startContainer.parentElement?.scrollIntoView({ block: "center", inline: "nearest" });

/** The matches of a text on the page, and the index of the current one. */
const useFound = (text: string) => {
  const [found, setFound] = useState<readonly Range[]>([]);
  const [at, setAt] = useState(0);
  const look = useEffectEvent(() => setFound(textRanges(searched(), text)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is searched from its first match
  useEffect(() => {
    setAt(0);
    look();
  }, [text]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        look();
      }, SEARCH_DELAY_MS);
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      mark([], undefined);
    };
  }, []);
  const index = Math.min(at, Math.max(0, found.length - 1));
  const current = found[index];
  useEffect(() => mark(found, current), [found, current]);
  const isLookedFor = text !== "" && found.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes of the page must not scroll it
  useEffect(() => {
    if (current) scrollTo(current);
  }, [text, index, isLookedFor]);
  const step = (by: number) => setAt(found.length === 0 ? 0 : (index + by + found.length) % found.length);
  return { found, index, step };
};

const words = (found: number, index: number): string => {
  if (found === 0) return "None";
  return `${formatCount(index + 1)} of ${formatCount(found)}${found === MAX_MATCHES ? "+" : ""}`;
};

/** Finds a text on the page, folded and cut code included, and can pass it to a list's own search. */
export const FindBar = () => {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const { found, index, step } = useFound(text.trim());
  const [field, setField] = useState(listSearch);
  useEffect(() => {
    const before = document.activeElement;
    input.current?.focus();
    return () => restoreFocus(before instanceof HTMLElement ? before : null);
  }, []);
  const close = () => useFinding.setState({ isOpen: false });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="pop find-bar" aria-label="Find on this page" data-unsearched>
      <Group gap="xs">
        <TextInput
          ref={input}
          flex={1}
          size="xs"
          aria-label="Find on this page"
          placeholder="Find on this page"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setField(listSearch());
          }}
          onKeyDown={onKeyDown}
        />
        <Text size="sm" c="secondary" role="status" miw={64} ta="right">
          {text.trim() === "" ? "" : words(found.length, index)}
        </Text>
        <IconButton small icon={IconChevronUp} label="Previous" onClick={() => step(-1)} />
        <IconButton small icon={IconChevronDown} label="Next" onClick={() => step(1)} />
        <IconButton small icon={IconX} label="Close" onClick={close} />
      </Group>
      <Group gap="xs" mt={6}>
        <Text size="xs" c="dimmed" flex={1}>
          Finds what is displayed. Lists and editors display only what is in sight.
        </Text>
        {field && (
          <Button
            small
            disabled={text.trim() === ""}
            onClick={() => {
              searchList(field, text.trim());
              close();
            }}
          >
            {field.getAttribute("aria-label") ?? "Search the list"}
          </Button>
        )}
      </Group>
    </search>
  );
};

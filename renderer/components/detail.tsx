import { Box, Flex, Stack, Tabs, Text } from "@mantine/core";
import { IconArrowDown } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { focusHeading } from "../lib/focus.ts";
import { plural } from "../lib/formatting.ts";
import { Button } from "./button.tsx";
import styles from "./detail.module.css";
import { useKeys } from "./use-keys.ts";

interface DetailProps {
  /** Accessible name: "Order TRC-20397-1". */
  readonly label: string;
  /** Before the title: the side, or a link back. */
  readonly before?: ReactNode;
  readonly title: ReactNode;
  /** The whole title, for where it may be cut. */
  readonly hint?: string | undefined;
  /** Beside the title: state and owner. */
  readonly beside?: ReactNode;
  /** Actions, at the right. */
  readonly actions?: ReactNode;
  /** A line under the title. */
  readonly about?: ReactNode;
  /** Side panel: results and next steps. Below the content in narrow windows. */
  readonly side?: ReactNode;
  /** Accessible name of the side panel: "Next steps". */
  readonly sideLabel?: string;
  readonly scrolls?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Moves the focus to the tab or the title when an action removes the button that had it. */
const useKeptFocus = () => {
  const heading = useRef<HTMLHeadingElement>(null);
  const wasWithin = useRef(false);
  useEffect(() => focusHeading(heading.current), []);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      wasWithin.current = target instanceof Node && heading.current?.closest("article")?.contains(target) === true;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (!wasWithin.current || document.activeElement !== document.body) return;
    const tab = heading.current?.closest("article")?.querySelector<HTMLElement>("[role=tab][aria-selected=true]");
    (tab ?? heading.current)?.focus({ preventScroll: true });
  });
  return heading;
};

/** Scrolls to the side panel, which is below the content in a narrow window. */
const showAside = (from: HTMLElement): void => {
  const aside = from.closest("article")?.querySelector("aside");
  aside?.scrollIntoView({ block: "start" });
  aside?.querySelector<HTMLElement>("h2, h3")?.focus({ preventScroll: true });
};

/** The open item of a place: its title and state, its actions, and its tabs or panes. */
export const Detail = ({
  label,
  before,
  title,
  hint,
  beside,
  actions,
  about,
  side,
  sideLabel,
  children,
  ...more
}: DetailProps) => (
  <Stack
    component="article"
    gap={0}
    className={`${more.scrolls ? "scroll" : ""} ${styles.detail} ${more.className ?? ""}`}
    aria-label={label}
  >
    <header className={styles.head}>
      {before}
      <Text ref={useKeptFocus()} tabIndex={-1} component="h2" truncate title={hint}>
        {title}
      </Text>
      {beside}
      {actions && (
        <Flex
          component="span"
          columnGap="sm"
          rowGap="xs"
          align="center"
          wrap="wrap"
          justify="flex-end"
          flex="1 1 auto"
          maw="100%"
        >
          {actions}
        </Flex>
      )}
      {about && (
        <Box flex="1 0 100%" miw={0}>
          {about}
        </Box>
      )}
    </header>
    {side ? (
      <>
        <div className={styles.panes}>
          <Stack gap={0} className="scroll">
            {children}
          </Stack>
          <Stack component="aside" gap={0} className="scroll" aria-label={sideLabel}>
            {side}
          </Stack>
        </div>
        <div className={styles.jump}>
          <Button small icon={IconArrowDown} onClick={({ currentTarget }) => showAside(currentTarget)}>
            <span className="sr">Go to </span>
            {sideLabel}
          </Button>
        </div>
      </>
    ) : (
      children
    )}
  </Stack>
);

/** A tab with the number of items in it. Leave the number out until it is known. */
interface CountedTab {
  readonly value: string;
  readonly label: ReactNode;
  readonly count?: number | undefined;
  /** Singular: "offer". */
  readonly noun?: string;
}

/** Tabs with counts, within the library's `Tabs`. */
export const CountedTabs = ({ label, tabs }: { label: string; tabs: readonly CountedTab[] }) => (
  <Tabs.List aria-label={label}>
    {tabs.map(({ value, label: name, count, noun = "item" }) => (
      <Tabs.Tab key={value} value={value}>
        {name}{" "}
        {count !== undefined && (
          <>
            <span className="n" aria-hidden="true">
              {count}
            </span>
            <span className="sr">{plural(count, noun)}</span>
          </>
        )}
      </Tabs.Tab>
    ))}
  </Tabs.List>
);

/** Binds the digits to the tabs, in order. */
export const useTabKeys = <V extends string>(
  place: string,
  tabs: readonly { readonly value: V; readonly label: ReactNode }[],
  show: (value: V) => void,
) =>
  useKeys(
    place,
    tabs.map(({ value, label }, index) => ({
      keys: [String(index + 1)],
      label: `Show ${typeof label === "string" ? label : value}`,
      run: () => show(value),
    })),
  );

import { Box, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Boundary } from "../app/boundary.tsx";
import { useRemembered } from "../lib/remembered.ts";
import { LinkButton } from "./button.tsx";
import { Separator } from "./separator.tsx";
import { useNarrow } from "./use-narrow.ts";

interface SplitProps {
  /** Under which name the width is remembered. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** What the list is, for the handle's name: "Jobs". */
  readonly label: string;
  readonly initial?: number;
  readonly least?: number;
  readonly most?: number;
  /**
   * What the detail holds while nothing of the list is open, where that is more than a hint ("Subscriptions"): narrow
   * windows then switch between it and the list.
   */
  readonly rest?: string;
}

/** Narrower than this there is no room for both: the detail lies over the list, with a way back. */
const BESIDE_FROM = 680;

const parse = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/** A place's own address shows its list; what is open stands behind it: `/jobs/:id`. */
const useOpen = () => {
  const [path] = useLocation();
  const query = useSearch();
  const [, place = "", id] = path.split("/");
  return { open: Boolean(id), back: `/${place}${query === "" ? "" : `?${query}`}` };
};

/** Keeps the focus in sight when one of the two gives way to the other. */
const useFocusInSight = (box: { readonly current: HTMLElement | null }, narrow: boolean, over: boolean) => {
  const was = useRef(over);
  useEffect(() => {
    if (was.current === over) return;
    was.current = over;
    if (!narrow) return;
    const focused = document.activeElement;
    // What gave way keeps the focus where nobody sees it; what is around both has it after a click that hit neither.
    const lost = focused === null || focused.contains(box.current) || focused.closest("[inert]") !== null;
    if (!lost) return;
    const target = over ? ".split-back a" : ".list a[aria-current], .list [data-key][tabindex='0']";
    box.current?.querySelector<HTMLElement>(target)?.focus();
  }, [box, narrow, over]);
};

/**
 * A list on the left, its detail on the right; the width between them is remembered. In a narrow window the detail of
 * what is open lies over the list, which keeps its place behind it. What fails of one leaves the other.
 */
export const Split = ({ name, list, detail, label, initial = 288, least = 220, most = 560, rest }: SplitProps) => {
  const [wanted, setWanted] = useRemembered(`split.${name}`, initial, parse);
  const [atRest, setAtRest] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const narrow = useNarrow(box, BESIDE_FROM);
  const { open, back } = useOpen();
  const over = narrow && (open || (rest !== undefined && atRest));
  useFocusInSight(box, narrow, over);
  const within = (width: number) => Math.round(Math.min(most, Math.max(least, width)));
  const width = within(wanted);
  return (
    <div
      ref={box}
      className={`split${narrow ? " narrow" : ""}${over ? " over" : ""}`}
      style={narrow ? undefined : { gridTemplateColumns: `${width}px minmax(0, 1fr)` }}
    >
      {narrow && rest !== undefined && !open && (
        <Group className="split-switch">
          <SegmentedControl
            aria-label={`${label} or ${rest}`}
            data={[
              { value: "list", label },
              { value: "rest", label: rest },
            ]}
            value={atRest ? "rest" : "list"}
            onChange={(value) => setAtRest(value === "rest")}
          />
        </Group>
      )}
      <div className="list" inert={over}>
        <Boundary title={label}>{list}</Boundary>
      </div>
      {!narrow && (
        <Separator
          edge="right"
          label={`Width of ${label}`}
          value={width}
          least={least}
          most={most}
          onMove={(to) => setWanted(within(to))}
          onReset={() => setWanted(initial)}
        />
      )}
      <Stack gap={0} className="detail" data-acts-in="" tabIndex={-1} inert={narrow && !over}>
        {/* The list's own heading is not there while it lies behind. */}
        {over && <h1 className="sr">{open ? label : rest}</h1>}
        {narrow && open && (
          <Group className="split-back">
            <LinkButton href={back} look="quiet" small icon={IconArrowLeft}>
              {label}
            </LinkButton>
          </Group>
        )}
        <Boundary title="What is open">{detail}</Boundary>
      </Stack>
    </div>
  );
};

/** The head of a split's list: a title with its count, controls, and a search field below. */
export const ListHead = ({
  title,
  level: Title = "h1",
  count,
  actions,
  children,
}: {
  title: string;
  /** That of a page within a place is of the second level. */
  level?: "h1" | "h2";
  count?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="head">
    <Group>
      <Title>{title}</Title>
      {count && <Text variant="aside">{count}</Text>}
      <Box component="span" flex={1} />
      {actions}
    </Group>
    {children}
  </div>
);

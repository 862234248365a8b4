import { Group, SegmentedControl, Splitter, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { LinkButton } from "../../components/button.tsx";
import { useDrawn } from "../../components/use-drawn.ts";
import { useRemembered } from "../../lib/remembered.ts";
import { Boundary } from "./boundary.tsx";

interface ListBesideDetailProps {
  /** Under which name the width is remembered. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** What the list is, for the handle's name: "Jobs". */
  readonly label: string;
  readonly initial?: number;
  readonly least?: number;
  /**
   * What the detail holds while nothing of the list is open, where that is more than a hint ("Subscriptions"): narrow
   * windows then switch between it and the list.
   */
  readonly rest?: string;
}

/** Narrower than this there is no room for both: the detail lies over the list, with a way back. */
const BESIDE_FROM = 680;
const MOST = 560;

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
    const target = over ? ".above-list a" : ".list a[aria-current], .list [data-key][tabindex='0']";
    box.current?.querySelector<HTMLElement>(target)?.focus();
  }, [box, narrow, over]);
};

/** Guessed from the window until the browser has laid out the box, for which nothing makes it hurry. */
const useNarrow = (box: { readonly current: HTMLElement | null }): boolean => {
  const [narrow, setNarrow] = useState(window.innerWidth < BESIDE_FROM);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setNarrow(element.clientWidth > 0 && element.clientWidth < BESIDE_FROM));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return narrow;
};

/**
 * The library's splitter, whose width is remembered, of a list and its detail. In a narrow window the detail of what is
 * open lies over the list, which keeps its place behind it. What fails of one leaves the other.
 */
export const ListBesideDetail = ({
  name,
  list,
  detail,
  label,
  initial = 288,
  least = 220,
  rest,
}: ListBesideDetailProps) => {
  const [width, setWidth] = useRemembered(`split.${name}`, initial, parse);
  const [atRest, setAtRest] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const narrow = useNarrow(box);
  const { open, back } = useOpen();
  // The list is drawn first, by itself: it is what most people wait for, and half of the work.
  const isListDrawn = useDrawn();
  const over = narrow && (open || (rest !== undefined && atRest));
  useFocusInSight(box, narrow, over);
  return (
    <Stack ref={box} gap={0} h="100%">
      {narrow && rest !== undefined && !open && (
        <Group className="above-list">
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
      <Splitter
        flex={1}
        mih={0}
        mod={{ narrow }}
        sizes={[`${Math.min(MOST, Math.max(least, width))}px`, 100]}
        onSizeChange={([size]) => setWidth(Math.round(Number.parseFloat(String(size))))}
        attributes={{ handle: { "aria-label": `Width of ${label}` } }}
      >
        <Splitter.Pane className="list" defaultSize={`${initial}px`} min={`${least}px`} max={`${MOST}px`} inert={over}>
          <Boundary title={label}>{list}</Boundary>
        </Splitter.Pane>
        <Splitter.Pane className="detail" defaultSize={100} data-acts-in="" tabIndex={-1} inert={narrow && !over}>
          {/* The list's own heading is not there while it lies behind. */}
          {over && <h1 className="sr">{open ? label : rest}</h1>}
          {narrow && open && (
            <Group className="above-list">
              <LinkButton href={back} look="quiet" small icon={IconArrowLeft}>
                {label}
              </LinkButton>
            </Group>
          )}
          <Boundary title="What is open">{isListDrawn && detail}</Boundary>
        </Splitter.Pane>
      </Splitter>
    </Stack>
  );
};

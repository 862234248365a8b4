import { Group, SegmentedControl, Splitter, Stack } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { LinkButton } from "../../components/button.tsx";
import { useDrawn } from "../../components/use-drawn.ts";
import { useRemembered } from "../../lib/remembered.ts";
import { Boundary } from "./boundary.tsx";

interface ListBesideDetailProps {
  /** Storage name of the width. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** The list's name, for the handle's label: "Jobs". */
  readonly label: string;
  readonly initial?: number;
  readonly least?: number;
  /**
   * Names the detail shown while no item is open, if it is more than a hint ("Subscriptions"). Narrow windows then
   * switch between it and the list.
   */
  readonly rest?: string;
}

/** In pixels: in a narrower box the detail covers the list, with a link back. */
const BESIDE_FROM = 680;
const MAX_LIST_WIDTH = 560;

const parse = (text: string): number | null => (/^\d+$/.test(text) ? Number(text) : null);

/** A place's own address shows its list; `/jobs/:id` opens a detail. */
const useOpen = () => {
  const [path] = useLocation();
  const query = useSearch();
  const [, place = "", id] = path.split("/");
  return { open: Boolean(id), back: `/${place}${query === "" ? "" : `?${query}`}` };
};

/** Keeps the focus visible when the list or the detail covers the other. */
const useFocusInSight = (box: { readonly current: HTMLElement | null }, narrow: boolean, over: boolean) => {
  const was = useRef(over);
  useEffect(() => {
    if (was.current === over) return;
    was.current = over;
    if (!narrow) return;
    const focused = document.activeElement;
    // The focus would stay in the hidden part, or on their container after a click on neither.
    const lost = focused === null || focused.contains(box.current) || focused.closest("[inert]") !== null;
    if (!lost) return;
    const target = over ? ".above-list a" : ".list a[aria-current], .list [data-key][tabindex='0']";
    box.current?.querySelector<HTMLElement>(target)?.focus();
  }, [box, narrow, over]);
};

/** Estimated from the window until the browser has laid out the box, to avoid a forced layout. */
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
 * A list and its detail in the library's splitter, whose width is remembered. In a narrow window an open detail covers
 * the list, which keeps its scroll position. An error in one leaves the other.
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
  // The list renders first: most people wait for it, and it is half of the work.
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
        mod={{ narrow, open }}
        sizes={[`${Math.min(MAX_LIST_WIDTH, Math.max(least, width))}px`, 100]}
        onSizeChange={([size]) => setWidth(Math.round(Number.parseFloat(String(size))))}
        attributes={{ handle: { "aria-label": `Width of ${label}` } }}
      >
        <Splitter.Pane
          className="list"
          defaultSize={`${initial}px`}
          min={`${least}px`}
          max={`${MAX_LIST_WIDTH}px`}
          inert={over}
        >
          <Boundary title={label}>{list}</Boundary>
        </Splitter.Pane>
        <Splitter.Pane className="detail" defaultSize={100} data-acts-in="" tabIndex={-1} inert={narrow && !over}>
          {/* The list's own heading is hidden while the detail covers it. */}
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

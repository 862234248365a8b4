import { Flex, SegmentedControl, Text } from "@mantine/core";
import { IconArrowsExchange, IconChevronLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Detail, useTabKeys } from "../../../components/detail.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { State } from "../../../components/state.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { orderFields } from "../../../domain/procurement/order-fields.tsx";
import { procurementRowQuery } from "../../../domain/procurement/queries.ts";
import { orderName } from "../../../domain/procurement/words.ts";
import { ShareMenu } from "../../../domain/share/share-menu.tsx";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { CopyLink } from "../../../kernel/addresses/copy-link.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { Boundary } from "../../../kernel/place/boundary.tsx";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { useAddress } from "../address.ts";
import { FieldsTab } from "../fields/fields-tab.tsx";
import { findTransition, lastMove, stateAfter, type Transition } from "../moves.ts";
import { NextPanel } from "../next/next-panel.tsx";
import { movesQuery } from "../queries.ts";
import { useTwoSides } from "../two-sides.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { JsonTab } from "./json-tab.tsx";
import { useSpokenMoves } from "./spoken-moves.ts";

/** Views of an order in their order; the first one has the order's own address. */
const detailTabs = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
  { value: "history", label: "History" },
] as const;

type DetailTab = (typeof detailTabs)[number]["value"];

/** Returns the view in an address, by default the first. */
const parseTab = (name: string | undefined): DetailTab =>
  detailTabs.find(({ value }) => value === name)?.value ?? "fields";

/** The view's segment in an address. */
const tabPath = (tab: DetailTab): string | undefined => (tab === "fields" ? undefined : tab);

interface Props {
  readonly row: ProcurementRow;
  readonly tab: DetailTab;
}

/** Excludes fields and panels beside the place, which handle Escape themselves. */
const leavesDetail = ({ target }: KeyboardEvent): boolean =>
  target === document.body ||
  (target instanceof HTMLElement && !target.matches("input, textarea, select") && target.closest("#place") !== null);

/** Returns to the board, which is unchanged. */
const BackToBoard = () => {
  const [, navigate] = useLocation();
  const { href } = useAddress();
  useKeys("Order", [
    {
      keys: ["esc"],
      label: "Back to the board",
      when: leavesDetail,
      run: () => navigate(href),
    },
  ]);
  return (
    <LinkButton small look="quiet" href={href} icon={IconChevronLeft}>
      Board
    </LinkButton>
  );
};

const About = ({ row }: { row: ProcurementRow }) => {
  const { hrefOfTab } = useAddress();
  const moves = useQuery(movesQuery(useWorld(), row.id));
  const placing = moves.data?.items.find(
    (request) => request.operation === "repairer.procurements.place" && stateAfter(request) !== null,
  );
  return (
    <Flex variant="note" component="p" columnGap="md" rowGap={2} align="center" wrap="wrap" mih={18}>
      <span>for {orderFields.job.shown(row)}</span>
      {orderFields.plate.shown(row)}
      <span>{orderFields.items.shown(row)}</span>
      {orderFields.total.shown(row)}
      <Text truncate>
        placed {orderFields.placed.shown(row)}
        {placing && (
          <>
            {" "}
            by <TextLink href={hrefOfTab(row.id, "history")}>trace {placing.trace_id.slice(0, 6)}</TextLink>
          </>
        )}
      </Text>
    </Flex>
  );
};

/** The newest recorded transition with its changes; null for none. */
const useTransition = (id: string): Transition | null => {
  const world = useWorld();
  const moves = useQuery(movesQuery(world, id));
  const move = lastMove(moves.data?.items ?? []);
  const trace = useQuery(traceQuery(world, move?.trace_id ?? null));
  return move && trace.data ? findTransition(move, trace.data.changes, id) : null;
};

const TwoSided = ({ row, tab }: Props) => {
  const sides = useTwoSides(row);
  const transition = useTransition(row.id);
  const [wantsCancel, setWantsCancel] = useState(false);
  const cancelling = wantsCancel && row.status === "order_requested";
  const [, navigate] = useLocation();
  const { view, hrefOfTab } = useAddress();
  const show = (next: DetailTab) => navigate(hrefOfTab(row.id, tabPath(next)));
  usePageTitle(orderName(row), "Orders");
  useSpokenMoves(row.id);
  useTabKeys("Order", detailTabs, show);
  const views = {
    fields: () => <FieldsTab row={row} sides={sides} transition={transition} cancelling={cancelling} />,
    json: () => <JsonTab row={row} sides={sides} transition={transition} />,
    history: () => <HistoryTab row={row} />,
  };
  return (
    <Detail
      label={`Order ${orderName(row)}`}
      before={view === "board" && <BackToBoard />}
      title={orderName(row)}
      beside={
        <>
          <State of={row.status} pill />
          <ShareMenu of={{ kind: "order", row, views: { buyer: sides.buyer.view, supplier: sides.supplier.view } }} />
          <CopyLink place="Order" href={hrefs.procurement(row.id, tabPath(tab))} what={orderName(row)} />
        </>
      }
      actions={<SegmentedControl aria-label="View" data={[...detailTabs]} value={tab} onChange={show} />}
      about={<About row={row} />}
      side={
        <NextPanel
          row={row}
          sides={sides}
          transition={transition}
          cancelling={cancelling}
          onCancelling={setWantsCancel}
        />
      }
      sideLabel="Next steps"
    >
      <Boundary title={detailTabs.find(({ value }) => value === tab)?.label ?? tab}>{views[tab]()}</Boundary>
    </Detail>
  );
};

const NotThere = ({ id }: { id: string }) => {
  const { href } = useAddress();
  usePageTitle("Not found", "Orders");
  return (
    <Missing
      icon={IconArrowsExchange}
      title="Order not found in this world"
      why={`No order has the ID ${id}. The world was reset, or the link is for another world.`}
      href={href}
      all="All orders"
    />
  );
};

/** An order as seen by each side, with its possible next calls. */
export const ProcurementDetail = ({ id, tab }: { id: string; tab: string | undefined }) => {
  const query = useQuery(procurementRowQuery(useWorld(), id));
  return (
    <Read of={query} what="the order" rows={8}>
      {(row) => (row === null ? <NotThere id={id} /> : <TwoSided row={row} tab={parseTab(tab)} />)}
    </Read>
  );
};

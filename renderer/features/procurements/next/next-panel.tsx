import { Box, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { ProcurementRow, Side } from "../../../../sandbox/contract/control/rows.ts";
import type { ProcurementStatus } from "../../../../sandbox/contract/values.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State, stateTone } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { statusLabels } from "../../../domain/procurement/words.ts";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { EventsAndDeliveries } from "../../../domain/trace/trace-parts.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import type { Exchange } from "../../../lib/service-client.ts";
import { useAddress } from "../address.ts";
import { lastMove, type Transition } from "../moves.ts";
import { useMove } from "../mutations.ts";
import { movesQuery } from "../queries.ts";
import type { TwoSides } from "../two-sides.tsx";
import styles from "./next.module.css";
import { RefusedList } from "./refused-list.tsx";
import { CancelStep, ConfirmStep } from "./steps.tsx";

const Node = ({ of: status, here }: { of: ProcurementStatus; here: boolean }) => (
  <Box
    component="span"
    className={stateTone(status)}
    bdrs={10}
    style={here ? { boxShadow: "0 0 0 2px var(--surface), 0 0 0 3.5px var(--ci)" } : {}}
  >
    <State of={status} pill>
      {statusLabels[status]}
    </State>
  </Box>
);

/** The sides that may cause a transition. */
const TransitionSides = ({ sides, y }: { sides: readonly Side[]; y: number }) =>
  sides.map((side, nth) => (
    <svg key={side} x={30 - sides.length * 7 + nth * 14} y={y} width={14} height={12} aria-hidden="true">
      <rect width={14} height={12} fill="var(--surface)" />
      <svg x={1} width={12} height={12} aria-hidden="true">
        <SideGlyph side={side} />
      </svg>
    </svg>
  ));

const statusDescriptions = {
  order_requested:
    "This order is order_requested. Its supplier can move it to order_confirmed. Either side can move it to cancelled, outside the contract.",
  order_confirmed: "This order moved from order_requested to order_confirmed, the final state of the contract.",
  cancelled: "This order moved from order_requested to cancelled. Cancelled orders are final.",
} as const;

/** The order's states: its current one and the possible transitions. Paths not taken are dimmed. */
const StateMap = ({ status }: { status: ProcurementStatus }) => {
  const confirms = status !== "cancelled";
  const cancels = status !== "order_confirmed";
  return (
    <Group gap={6} px="lg" pb="md" role="img" aria-label={statusDescriptions[status]}>
      <Node of="order_requested" here={status === "order_requested"} />
      <svg viewBox="0 0 56 68" width="56" height="68" fill="none" strokeWidth="1.5" aria-hidden="true">
        <g stroke={confirms ? "var(--supplier)" : "var(--line-strong)"}>
          <path d="M0 34H4C16 34 8 14 20 14H54m-3.5-3.5l3.5 3.5-3.5 3.5" />
        </g>
        <g stroke={cancels ? "var(--line-control)" : "var(--line-strong)"}>
          <path d="M0 34H4C16 34 8 54 20 54H54" strokeDasharray="1.5 3" />
          <path d="M50.5 50.5l3.5 3.5-3.5 3.5" />
        </g>
        {confirms && <TransitionSides sides={["supplier"]} y={8} />}
        {cancels && <TransitionSides sides={["repairer", "supplier"]} y={48} />}
      </svg>
      <Stack gap={20} align="flex-start">
        <Node of="order_confirmed" here={status === "order_confirmed"} />
        <Node of="cancelled" here={status === "cancelled"} />
      </Stack>
    </Group>
  );
};

const lastWord: Readonly<Record<MovedProps["status"], ReactNode>> = {
  order_confirmed: (
    <>
      <code>order_confirmed</code> is the final state of the contract. <Origin of="contract" />
    </>
  ),
  cancelled: (
    <>
      Cancelled orders are final. Cancelling is an extension, because the contract has no operation for it. The buyer
      can place the offers again.
    </>
  ),
};

interface MovedProps {
  readonly row: ProcurementRow;
  readonly status: Exclude<ProcurementStatus, "order_requested">;
  readonly sides: TwoSides;
  /** The response to this window's call, if it caused the transition. */
  readonly response: (Exchange & { readonly side: Side | null }) | null;
  readonly transition: Transition | null;
}

/** The call of the last transition, by any caller; or the reason why none is recorded. */
const Moved = ({ row, status, sides, response, transition }: MovedProps) => {
  const world = useWorld();
  const { hrefOfTab } = useAddress();
  const title = useRef<HTMLHeadingElement>(null);
  const moves = useQuery(movesQuery(world, row.id)).data;
  const isUnrecorded = moves !== undefined && lastMove(moves.items) === null;
  const mine = response?.ok && (!transition || transition.request.id === response.requestId) ? response : null;
  // Prefers the record, so that all places show the same response.
  const lastCall = transition ? { ...transition.request, requestId: transition.request.id } : mine;
  const { data: trace } = useQuery(traceQuery(world, lastCall?.requestId ?? null));
  const justNow = mine !== null;
  useEffect(() => {
    // The pressed button is gone, so the result takes focus.
    if (justNow) title.current?.focus();
  }, [justNow]);
  const confirmed = status === "order_confirmed";
  const by = lastCall?.side === "repairer" ? sides.buyer.organization : sides.supplier.name;
  return (
    <>
      {lastCall && (
        <Stack
          component="section"
          className={`hl toned ${stateTone(status)}`}
          p="10px 16px 12px"
          aria-label={confirmed ? "Confirmation" : "Cancellation"}
        >
          <Group align="baseline">
            <SideGlyph side={lastCall.side} />
            <Text ref={title} tabIndex={-1} component="h3" flex={1} miw={0} fw={600}>
              {confirmed ? "Confirmed" : "Cancelled"} by {by}
            </Text>
          </Group>
          <Group fz="sm" lh="sm">
            <HttpStatus status={lastCall.status} />
            <Origin of={confirmed ? "contract" : "extension"} />
            <Box component="span" flex={1} />
            <Text c="dimmed">
              <Time at={row.updated_at} as="clock" />
            </Text>
          </Group>
          {trace && <EventsAndDeliveries trace={trace} />}
          {!confirmed && (
            <Text component="p" variant="note">
              No event is sent. The other side sees this when it reads the order.
            </Text>
          )}
          <TextLink href={hrefOfTab(row.id, "history")}>View in history</TextLink>
        </Stack>
      )}
      <Stack component="section" className="hl" p="10px 16px 12px">
        <Text component="p" variant="note">
          {lastWord[status]}
          {!lastCall && isUnrecorded && " This state is part of the seed data, or its call was deleted by retention."}
        </Text>
      </Stack>
    </>
  );
};

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
  /** True if the cancellation is open instead of the confirmation. */
  readonly cancelling: boolean;
  readonly onCancelling: (cancelling: boolean) => void;
}

/** Focuses the panel's heading if another caller's transition removes the focused step. */
const useKeptFocus = (status: ProcurementStatus) => {
  const title = useRef<HTMLHeadingElement>(null);
  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed status removes steps
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) title.current?.focus();
  }, [status]);
  // React reports no blur for removed elements, so the last focused one still counts.
  const watched = {
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
  return { title, watched };
};

/** Possible calls with their callers and consequences, and impossible ones with reasons. */
export const NextPanel = ({ row, sides, transition, cancelling, onCancelling }: Props) => {
  const { status } = row;
  const confirm = useMove("supplier.procurements.confirm", row);
  const cancel = useMove("procurements.cancel", row);
  const { title, watched } = useKeptFocus(status);
  return (
    <Stack gap={0} className={styles.next} {...watched}>
      <Group mih={48} px="lg">
        <h2 ref={title} tabIndex={-1}>
          Next steps
        </h2>
      </Group>
      <StateMap status={status} />
      {status === "order_requested" ? (
        <>
          <ConfirmStep
            supplier={sides.supplier}
            confirm={confirm}
            isOpen={!cancelling}
            isSettled={!sides.buyer.isLoading && !sides.supplier.isLoading}
            onOpen={() => onCancelling(false)}
          />
          <CancelStep sides={sides} cancel={cancel} shown={cancelling} onShown={onCancelling} />
        </>
      ) : (
        <Moved
          row={row}
          status={status}
          sides={sides}
          response={(status === "cancelled" ? cancel.data : confirm.data) ?? null}
          transition={transition}
        />
      )}
      <RefusedList status={status} sides={sides} />
    </Stack>
  );
};

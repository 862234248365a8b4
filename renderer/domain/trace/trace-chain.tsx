import { Group, Stack, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Id } from "../../components/id.tsx";
import { Read } from "../../components/read.tsx";
import { Time } from "../../components/time.tsx";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs, plural } from "../../lib/formatting.ts";
import { callTitle } from "../exchange/operation-words.ts";
import { BranchButton } from "../world/branch.tsx";
import { traceQuery } from "./queries.ts";
import { Changes, EventsAndDeliveries } from "./trace-parts.tsx";
import { CallVerdict } from "./verdict-note.tsx";

interface TraceProps {
  readonly request: RequestRow;
  /** The caller's name. */
  readonly by?: string | null;
}

/** The trace of one call in order: request, changes, events, deliveries. */
export const TraceChain = ({ request, by }: TraceProps) => {
  const showInWire = useUi((state) => state.showInWire);
  const world = useWorld();
  const query = useQuery(traceQuery(world, request.trace_id));
  return (
    <Read of={query} what="the trace">
      {(trace) => (
        <Timeline pt="sm" pr="lg" pb="md" pl={26} bulletSize={8} styles={{ itemBullet: { top: 4 } }} aria-label="Trace">
          <Step name="Request">
            <Group wrap="wrap" fz="sm" lh="sm">
              <HttpStatus status={request.status} />
              <Text variant="code">{request.error_code ?? request.outcome}</Text>
              <Text c="dimmed">{formatMs(request.duration_ms)}</Text>
              {request.integration_id && (
                <Text c="dimmed">
                  by {by} <Id value={request.integration_id} what="integration ID" />
                </Text>
              )}
              <Text c="dimmed">
                trace <Id value={request.trace_id} what="trace ID" />
              </Text>
              <Text c="dimmed">
                <Time at={request.at} as="day" on="real" /> <Time at={request.at} as="precise" on="real" />
              </Text>
              <button type="button" className="lnk" onClick={() => showInWire(request.id)}>
                View call
              </button>
              <BranchButton look="words" of={{ id: request.id, title: callTitle(request), world, name: world }} />
            </Group>
            <CallVerdict row={request} />
          </Step>
          <Step name={plural(trace.changes.length, "change")}>
            <Changes changes={trace.changes} brief />
          </Step>
          <Step name={plural(trace.events.length, "event")}>
            <EventsAndDeliveries trace={trace} />
          </Step>
        </Timeline>
      )}
    </Read>
  );
};

const Step = ({ name, children, ...item }: { name: string; children: ReactNode }) => (
  <Timeline.Item
    {...item}
    title={
      <Text component="h3" variant="label">
        {name}
      </Text>
    }
  >
    <Stack>{children}</Stack>
  </Timeline.Item>
);

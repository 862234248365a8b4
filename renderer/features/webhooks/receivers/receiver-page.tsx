import { EmptyState, Stack, Text } from "@mantine/core";
import { IconInbox, IconUnlink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Receipt, Receiver } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { type Column, ShortTable } from "../../../components/short-table.tsx";
import { State, type StateName } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { toSubscriptions } from "../addresses.ts";
import { Code } from "../parts.tsx";
import { receivedQuery, useReceivers } from "../queries.ts";
import { BehaviourPane } from "./behaviour-pane.tsx";

/** Marks and labels of a receiver's decisions. */
const outcomes: Readonly<Record<Receipt["outcome"], readonly [mark: StateName, words: string]>> = {
  accepted: ["passed", "accepted"],
  repeated: ["passed", "already processed"],
  refused: ["refused", "refused"],
  failed: ["failed", "failed, as configured"],
  held: ["failed", "no response, as configured"],
};

const columns: readonly Column<Receipt>[] = [
  { head: "Received", width: 92, cell: ({ at }) => <Time at={at} as="clock" on="real" /> },
  {
    head: "Event and message ID",
    cell: ({ event_type, message_id }) => (
      <>
        <Code>{event_type ?? "unknown"}</Code>
        <div>{message_id === null ? "no message ID" : <Id value={message_id} what="message ID" />}</div>
      </>
    ),
  },
  {
    ...{ head: "Response", width: 88 },
    cell: ({ status }) => (status === null ? "none" : <HttpStatus status={status} />),
  },
  {
    ...{ head: "Result", width: 184 },
    cell: ({ outcome, reason }) => (
      <>
        <State of={outcomes[outcome][0]}>{outcomes[outcome][1]}</State>
        {reason !== null && <Text variant="mono">{reason}</Text>}
      </>
    ),
  },
];

/** Receipts, newest first, with the decision and the verification's result. */
const Received = ({ receiver: { id } }: { receiver: Receiver }) => {
  const received = useQuery(receivedQuery(useWorld(), id));
  return (
    <Read of={received} what="the notifications" rows={6}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState
            icon={<IconInbox />}
            title="Nothing received yet"
            description="Send a test event from its subscription, or change a job or an order."
          />
        ) : (
          <Section title={`${plural(items.length, "notification")} received`} note="Newest first" ruled={false}>
            <div className="scroll">
              <ShortTable
                label="Received notifications"
                least={500}
                columns={columns}
                rows={items}
                keyOf={({ id: own }) => own}
              />
            </div>
          </Section>
        )
      }
    </Read>
  );
};

const Shown = ({ receiver }: { receiver: Receiver }) => {
  const { id, url, integration_id, subscription_id, created_at } = receiver;
  return (
    <Detail
      label="Built-in receiver"
      title={`Built-in receiver ${id.slice(-4)}`}
      actions={
        subscription_id !== null && (
          <LinkButton small href={hrefs.subscription(subscription_id)}>
            Open subscription
          </LinkButton>
        )
      }
      side={
        <>
          <BehaviourPane receiver={receiver} />
          <Stack component="section" px="lg" py={14} aria-label="Receiver">
            <KeyValue
              rows={[
                ["URL", <Code key="url">{url}</Code>],
                ["Integration", <Id key="integration" value={integration_id} what="integration ID" />],
                ["Created", <Time key="since" at={created_at} as="precise" />],
              ]}
            />
          </Stack>
        </>
      }
      sideLabel="About this receiver"
    >
      <Received receiver={receiver} />
    </Detail>
  );
};

/** A built-in receiver: its receipts with their responses, and its behaviour. */
export const ReceiverPage = ({ id }: { id: string }) => {
  const query = useReceivers();
  const receiver = query.data?.find((one) => one.id === id);
  usePageTitle("Built-in receiver", "Webhooks");
  return (
    <Read of={query} what="the receiver" rows={6}>
      {() =>
        receiver ? (
          <Shown receiver={receiver} />
        ) : (
          <Missing
            {...toSubscriptions}
            icon={IconUnlink}
            title="Receiver not found"
            why="It was deleted with its subscription, or it belongs to another world."
          />
        )
      }
    </Read>
  );
};

import { Box, Group, Stack, Text } from "@mantine/core";
import type { DeliveryRow, EventRow } from "../../../sandbox/contract/control/rows.ts";
import { events as eventTypes } from "../../../sandbox/contract/event-types.ts";
import { DiffView } from "../../components/diff-view.tsx";
import { TextLink } from "../../components/link.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { Origin } from "../decision/origin.tsx";
import { Address } from "../delivery/address.tsx";
import { DeliveryState } from "../delivery/delivery-state.tsx";
import { NextAttempt } from "../delivery/next-attempt.tsx";
import { ResponseStatus } from "../delivery/response-status.tsx";
import { changeTitle, noEventReason, undeliveredReason } from "./change-words.ts";
import type { Trace } from "./queries.ts";

const Delivery = ({ delivery }: { delivery: DeliveryRow }) => {
  const { id, url, status, attempts_made, last_status, last_error, next_attempt_at } = delivery;
  return (
    <li>
      <Group fz="sm" lh="sm" mih={24} justify="space-between">
        <Address url={url} />
        <Text textWrap="nowrap">
          <TextLink href={hrefs.delivery(id)}>Open delivery</TextLink>
        </Text>
      </Group>
      <Group wrap="wrap" gap="0 8px" fz="sm" lh="sm" mih={20}>
        <DeliveryState of={delivery} />
        {attempts_made > 0 && <ResponseStatus status={last_status} error={last_error} />}
        {status !== "pending" && attempts_made > 1 && (
          <Text c="dimmed" textWrap="nowrap">
            {plural(attempts_made, "attempt")}
          </Text>
        )}
        {next_attempt_at !== null && attempts_made > 0 && (
          <Text c="dimmed">
            <NextAttempt at={next_attempt_at} />
          </Text>
        )}
      </Group>
    </li>
  );
};

interface EventProps {
  readonly event: EventRow;
  readonly deliveries: readonly DeliveryRow[];
}

const Event = ({ event, deliveries }: EventProps) => {
  const world = useWorld();
  return (
    <li>
      <Group wrap="wrap" fz="sm" lh="sm">
        <SideGlyph side={eventTypes[event.event_type].side} labelled />
        <Text variant="mono">{event.event_type}</Text>
        <Text c="secondary">{event.payload.status ?? event.payload.change_action}</Text>
        <Text c="dimmed" ml="auto">
          <Time at={event.event_timestamp} as="precise" />
        </Text>
      </Group>
      {deliveries.length === 0 ? (
        <Text component="p" variant="aside" pl={20}>
          {undeliveredReason(event, world)} {event.deliveries === 0 && <TextLink href="/webhooks">Subscribe</TextLink>}
        </Text>
      ) : (
        <Box component="ul" pl={20} aria-label="Deliveries">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </Box>
      )}
    </li>
  );
};

/** The events of a trace with their current deliveries; or the reason for none. */
export const EventsAndDeliveries = ({ trace: { changes, events, deliveries } }: { trace: Trace }) => {
  if (events.length === 0) {
    const { sentence, assumption } = noEventReason(changes);
    return (
      <Text component="p" variant="aside">
        {sentence} {assumption && <Origin of="assumption" id={assumption} />}
      </Text>
    );
  }
  return (
    <Stack component="ul" aria-label="Events and deliveries">
      {events.map((event) => (
        <Event key={event.id} event={event} deliveries={deliveries.filter(({ event_id }) => event_id === event.id)} />
      ))}
    </Stack>
  );
};

/** Changes of a call field by field, before and after. @param props.brief only names created records */
export const Changes = ({ changes, brief = false }: Pick<Trace, "changes"> & { brief?: boolean }) =>
  changes.length === 0 ? (
    <Text component="p" variant="aside">
      No changes.
    </Text>
  ) : (
    changes.map((change) => {
      const { entity, id, before, after } = change;
      const key = `${entity}:${id}`;
      const title = changeTitle(change);
      if (brief && before === null)
        return (
          <Text key={key} component="p" size="sm">
            {title}
          </Text>
        );
      return <DiffView key={key} title={title} before={before} after={after} />;
    })
  );

import { Box, Group, Text } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useMemo, useState } from "react";
import type {
  DeliveryRow,
  EventRow,
  RequestRow,
  StateChange,
  TraceAttempt,
} from "../../../../sandbox/contract/control/rows.ts";
import { events as eventTypes } from "../../../../sandbox/contract/event-types.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph, sideClass } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { Address, classifyAddress } from "../../../domain/delivery/address.tsx";
import { NextAttempt } from "../../../domain/delivery/next-attempt.tsx";
import { ResponseStatus } from "../../../domain/delivery/response-status.tsx";
import { attemptOutcome } from "../../../domain/delivery/verdict.ts";
import { changeTitle, noEventReason, undeliveredReason } from "../../../domain/trace/change-words.ts";
import { type Trace, traceQuery } from "../../../domain/trace/queries.ts";
import { CallVerdict } from "../../../domain/trace/verdict-note.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { organizationsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatMs, formatSpan, plural } from "../../../lib/formatting.ts";
import styles from "./trace-axis.module.css";
import { type TraceScale, traceScale } from "./trace-scale.ts";

const percent = (value: number): string => `${value.toFixed(2)}%`;
const tickLabel = (ms: number): string => {
  if (ms < 1_000) return ms === 0 ? "0" : `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Number((ms / 1_000).toFixed(2))} s` : formatSpan(ms);
};

/** Time since the start of a call, and its scale. */
interface Axis {
  readonly scale: TraceScale;
  readonly since: (time: string) => number;
}

const buildAxis = (request: RequestRow, { attempts }: Trace): Axis => {
  const startedAt = Date.parse(request.at);
  // A clock that was set back may put an effect before its cause.
  const since = (time: string): number => Math.max(0, Date.parse(time) - startedAt);
  const spans = attempts.map(({ started_at, duration_ms }) => {
    const from = since(started_at);
    return { from, to: from + duration_ms };
  });
  return { since, scale: traceScale([{ from: 0, to: request.duration_ms }, ...spans]) };
};

const Row = ({ name, children }: { name: ReactNode; children?: ReactNode }) => (
  <div className={styles.row}>
    <div className={styles.name}>{name}</div>
    <div className={styles.track}>{children}</div>
  </div>
);

const Label = ({ at, children }: { at: number; children: ReactNode }) => (
  <span className={styles.label} style={{ left: percent(at) }}>
    {children}
  </span>
);

/** A created record is collapsed. */
const Change = ({ change, at }: { change: StateChange; at: number }) => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <Row
        name={
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon of={IconChevronRight} size={12} />
            {changeTitle(change)}
          </button>
        }
      >
        <i className={styles.change} style={{ left: percent(at) }} aria-hidden="true" />
      </Row>
      {isOpen && (
        <Box id={id} pl={40} pr="lg" pb="xs">
          <DiffView before={change.before} after={change.after} />
        </Box>
      )}
    </li>
  );
};

const attemptTone = ({ response_status, error }: TraceAttempt): "ok" | "bad" =>
  attemptOutcome({ response_status, error }) === "acknowledged" ? "ok" : "bad";

/** Approximate width of a label in percent; it is omitted when the next attempt is nearer. */
const LABEL_WIDTH = 30;

interface AttemptsProps {
  readonly attempts: readonly TraceAttempt[];
  readonly axis: Axis;
  /** Time of the next attempt; null for none. */
  readonly nextAttemptAt: string | null;
}

const Attempts = ({ attempts, axis: { scale, since }, nextAttemptAt }: AttemptsProps) =>
  attempts.map((attempt, index) => {
    const { number, started_at, duration_ms, response_status, error } = attempt;
    const from = since(started_at);
    const [left, right] = [scale.at(from), scale.at(from + duration_ms)];
    const next = attempts[index + 1];
    const nextAt = next ? scale.at(since(next.started_at)) : undefined;
    return (
      <span key={number}>
        <i
          className={styles.bar}
          data-tone={attemptTone(attempt)}
          style={{ left: percent(left), width: percent(right - left) }}
        />
        {nextAt !== undefined && (
          <i
            className={styles.wait}
            style={{ left: percent(right), width: percent(nextAt - right) }}
            aria-hidden="true"
          />
        )}
        {nextAt === undefined || nextAt - right >= LABEL_WIDTH ? (
          <Label at={right}>
            <span className="sr">Attempt {number} </span>
            <ResponseStatus status={response_status} error={error} /> {formatMs(duration_ms)}
            {next === undefined && nextAttemptAt !== null && <NextAttempt at={nextAttemptAt} />}
          </Label>
        ) : (
          <span className="sr">
            Attempt {number} <ResponseStatus status={response_status} error={error} />
          </span>
        )}
      </span>
    );
  });

/** The host of a partner's URL; other receivers have names. */
const receiverName = (url: string): ReactNode =>
  classifyAddress(url).kind === "partner" && URL.canParse(url) ? (
    <Text variant="mono" truncate title={url}>
      {new URL(url).host}
    </Text>
  ) : (
    <Address url={url} brief />
  );

interface WebhookProps {
  readonly event: EventRow;
  /** Null: no subscription. */
  readonly delivery: DeliveryRow | null;
  readonly attempts: readonly TraceAttempt[];
  readonly to: string;
  readonly axis: Axis;
  readonly responseAt: number;
}

const Webhook = ({ event, delivery, attempts, to, axis, responseAt }: WebhookProps) => {
  const world = useWorld();
  const { side } = eventTypes[event.event_type];
  const { scale, since } = axis;
  const createdAt = delivery ? scale.at(since(delivery.created_at)) : responseAt;
  const [first] = attempts;
  const firstAttemptAt = first ? scale.at(since(first.started_at)) : createdAt;
  const nextAttemptAt = delivery?.status === "pending" ? delivery.next_attempt_at : null;
  return (
    <li>
      <Row
        name={
          <>
            <SideGlyph side={side} labelled />
            {delivery ? (
              <TextLink href={hrefs.delivery(delivery.id)} title={event.event_type}>
                {event.label}
              </TextLink>
            ) : (
              <b title={event.event_type}>{event.label}</b>
            )}
            <span className={styles.what} title={event.payload.status ?? event.payload.change_action}>
              to {to}
            </span>
            {delivery && <span className={styles.where}>{receiverName(delivery.url)}</span>}
          </>
        }
      >
        <i className={`${styles.event} ${sideClass(side)}`} style={{ left: percent(createdAt) }} aria-hidden="true" />
        <i
          className={styles.line}
          style={{ left: percent(createdAt), width: percent(Math.max(0, firstAttemptAt - createdAt)) }}
        />
        {delivery === null && (
          <Label at={createdAt}>
            <Text c="secondary" title={undeliveredReason(event, world)}>
              {event.deliveries === 0 ? "Not sent: no subscription" : "Deleted by retention"}
            </Text>
          </Label>
        )}
        <Attempts attempts={attempts} axis={axis} nextAttemptAt={nextAttemptAt} />
        {nextAttemptAt !== null && attempts.length === 0 && (
          <Label at={createdAt}>
            <NextAttempt at={nextAttemptAt} />
          </Label>
        )}
      </Row>
    </li>
  );
};

const Head = ({ children }: { children: ReactNode }) => (
  <Group component="h3" className={styles.head}>
    {children}
  </Group>
);

/** Summary of a trace's webhooks: "5 delivered", "3 not sent". */
const Counts = ({ trace: { events, deliveries } }: { trace: Trace }) => {
  const withStatus = (status: DeliveryRow["status"]): number =>
    deliveries.filter((delivery) => delivery.status === status).length;
  const [delivered, pending, failed] = [withStatus("delivered"), withStatus("pending"), withStatus("failed")];
  const unsent = events.filter((event) => event.deliveries === 0).length;
  return (
    <>
      {delivered > 0 && <State of="delivered">{delivered} delivered</State>}
      {pending > 0 && <State of="pending">{pending} pending</State>}
      {failed > 0 && <State of="failed">{failed} failed</State>}
      {unsent > 0 && <State of="skipped">{unsent} not sent</State>}
    </>
  );
};

const Webhooks = ({ trace, axis, responseAt }: { trace: Trace; axis: Axis; responseAt: number }) => {
  const world = useWorld();
  const { data: organizations = [] } = useQuery(organizationsQuery(world));
  const { changes, events, deliveries, attempts } = trace;
  const none = noEventReason(changes);
  const ofEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
  const ofDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  if (events.length === 0)
    return (
      <Text component="p" variant="aside" px="lg">
        {none.sentence} {none.assumption && <Origin of="assumption" id={none.assumption} />}
      </Text>
    );
  return (
    <>
      <Head>
        {plural(deliveries.length + events.filter(({ id }) => !ofEvent.has(id)).length, "webhook")}
        <Counts trace={trace} />
      </Head>
      <ul aria-label="Webhooks">
        {events.flatMap((event) => {
          const to = organizations.find(({ id }) => id === event.organization_id)?.name ?? "its organization";
          const about = { event, to, axis, responseAt };
          const sent = ofEvent.get(event.id);
          if (!sent) return <Webhook key={event.id} {...about} delivery={null} attempts={[]} />;
          return sent.map((delivery) => (
            <Webhook key={delivery.id} {...about} delivery={delivery} attempts={ofDelivery.get(delivery.id) ?? []} />
          ));
        })}
      </ul>
    </>
  );
};

const TraceTimeline = ({ request, trace }: { request: RequestRow; trace: Trace }) => {
  const axis = useMemo(() => buildAxis(request, trace), [request, trace]);
  const { ticks, breaks, at } = axis.scale;
  const responseAt = at(request.duration_ms);
  const { changes } = trace;
  return (
    <div className={styles.axis}>
      <div className={styles.scale} aria-hidden="true">
        <span>Step</span>
        <div>
          {ticks.map((tick) => (
            <span key={tick.ms} style={{ left: percent(tick.at) }} data-first={tick.at === 0 || undefined}>
              {tickLabel(tick.ms)}
            </span>
          ))}
        </div>
      </div>
      <div className={styles.grid} aria-hidden="true">
        <div>
          {ticks.map((tick) => (
            <i key={tick.ms} style={{ left: percent(tick.at) }} />
          ))}
          {breaks.map((one) => (
            <i key={one.at} className={styles.break} style={{ left: percent(one.at), width: percent(one.width) }} />
          ))}
          <i className={styles.answer} style={{ left: percent(responseAt) }} />
        </div>
      </div>
      <Row
        name={
          <>
            <SideGlyph side={request.side} labelled />
            <b>Call</b>
            <span className={styles.what}>{request.operation ?? request.path}</span>
          </>
        }
      >
        <i
          className={styles.bar}
          data-side={request.side ?? undefined}
          style={{ left: 0, width: percent(responseAt) }}
        />
        <Label at={responseAt}>
          <HttpStatus status={request.status} /> {formatMs(request.duration_ms)}
        </Label>
      </Row>
      <Head>{changes.length === 0 ? "No changes" : plural(changes.length, "change")}</Head>
      {changes.length > 0 && (
        <ul aria-label="Changes">
          {changes.map((change) => (
            <Change key={`${change.entity} ${change.id}`} change={change} at={responseAt} />
          ))}
        </ul>
      )}
      <Webhooks trace={trace} axis={axis} responseAt={responseAt} />
    </div>
  );
};

/** A call's consequences on one time scale: the call, its changes, its events with each attempt. */
export const TraceAxis = ({ request, by }: { request: RequestRow; by: string | null }) => {
  const query = useQuery(traceQuery(useWorld(), request.trace_id));
  return (
    <section aria-label="Trace">
      <CallVerdict row={request} />
      <Read of={query} what="the trace">
        {(trace) => <TraceTimeline request={request} trace={trace} />}
      </Read>
      <Group variant="aside" px="lg" py="sm">
        Trace <Id value={request.trace_id} what="trace ID" />
        {request.integration_id && (
          <>
            by {by} <Id value={request.integration_id} what="integration ID" />
          </>
        )}
      </Group>
    </section>
  );
};

import { Box, Group, Text } from "@mantine/core";
import { IconBraces, IconHourglass, IconWebhook } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { Fragment } from "react";
import type { Attempt, RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph, sideClass } from "../../../components/side.tsx";
import { AnswerStatus } from "../../../domain/delivery/answer-status.tsx";
import { deliveryQuery } from "../../../domain/delivery/queries.ts";
import type { Trace } from "../../../domain/trace/queries.ts";
import { formatMs } from "../../../lib/formatting.ts";
import styles from "./time-line.module.css";
import { type Scale, type Step, scaleOf, stepsOf } from "./time-line.ts";

/** The attempts of so many deliveries are read; those of more are a click away. */
const MOST_READ = 12;

const useAttempts = ({ deliveries }: Trace): ReadonlyMap<string, readonly Attempt[]> => {
  const world = useWorld();
  return useQueries({
    queries: deliveries
      .filter(({ attempts_made }) => attempts_made > 0)
      .slice(0, MOST_READ)
      .map(({ id }) => deliveryQuery(world, id)),
    combine: (read) => new Map(read.flatMap(({ data }) => (data ? [[data.id, data.attempts] as const] : []))),
  });
};

const toneOf = ({ kind, side, status, error }: Step): string => {
  if (kind === "request") return side === null ? "none" : sideClass(side);
  return status === 200 && error === null ? "ok" : "bad";
};

/** Words need so much of the width beside their mark. */
const ROOM = 0.62;

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

const Mark = ({ step, x }: { step: Step; x: Scale["x"] }) => {
  const [left, right] = [x(step.start), x(step.end)];
  const isAnswered = step.kind === "request" || step.kind === "attempt";
  const Answer = step.kind === "attempt" ? AnswerStatus : HttpStatus;
  // Behind its mark where there is room, else before it, else upon it.
  const words =
    right < ROOM
      ? { left: percent(right), paddingLeft: 8, maxWidth: percent(1 - right) }
      : left > 1 - ROOM
        ? { right: percent(1 - left), paddingRight: 8, maxWidth: percent(left) }
        : { right: 0 };
  return (
    <span className={styles.track}>
      {step.end > step.start ? (
        <i
          className={styles.bar}
          data-tone={toneOf(step)}
          style={{ left: percent(left), width: percent(right - left) }}
        />
      ) : (
        <i className={styles.point} data-kind={step.kind} style={{ left: percent(left) }} />
      )}
      <span className={styles.words} style={words} data-upon={"left" in words || left > 1 - ROOM ? undefined : true}>
        {isAnswered ? (
          <>
            <Answer status={step.status} error={step.error} />
            <Text c="dimmed">{formatMs(step.end - step.start)}</Text>
          </>
        ) : (
          <Text c="secondary" truncate title={step.of}>
            {step.of}
          </Text>
        )}
      </span>
    </span>
  );
};

const StepName = ({ step }: { step: Step }) => (
  <Group component="span" className={styles.name} data-kind={step.kind}>
    {step.kind === "change" && <Icon of={IconBraces} size={12} />}
    {step.kind === "waiting" && <Icon of={IconHourglass} size={12} />}
    {step.kind === "event" && step.side === null && <Icon of={IconWebhook} size={12} />}
    {step.side !== null && step.kind !== "waiting" && <SideGlyph side={step.side} labelled />}
    {step.deliveryId === null ? (
      <Text truncate title={step.name}>
        {step.name}
      </Text>
    ) : (
      <TextLink href={hrefs.delivery(step.deliveryId)} title={`${step.of}: the delivery, byte for byte`}>
        {step.name}
      </TextLink>
    )}
  </Group>
);

/** The call, what it changed, its events and every attempt to deliver them, on one scale of time. */
export const TimeLine = ({ trace, request }: { trace: Trace; request: RequestRow }) => {
  const steps = stepsOf(trace, request, useAttempts(trace));
  const { x, ticks, gaps } = scaleOf(steps);
  const untold = new Set(trace.events.filter(({ deliveries }) => deliveries === 0).map(({ id }) => id));
  const unread = trace.deliveries.filter(({ attempts_made }) => attempts_made > 0).length - MOST_READ;
  return (
    <div className={styles.line}>
      <div className={styles.axis} aria-hidden="true">
        <span />
        <span className={styles.ticks}>
          {ticks.map((tick) => (
            <span
              key={tick.at}
              data-edge={tick.x < 0.01 ? "start" : tick.x > 0.99 ? "end" : undefined}
              style={{ left: percent(tick.x) }}
            >
              {tick.label}
            </span>
          ))}
        </span>
      </div>
      <Box component="ol" pos="relative" aria-label="Trace timeline">
        {steps.map((step) => (
          <Fragment key={step.key}>
            <li className={styles.step}>
              <StepName step={step} />
              <Mark step={step} x={x} />
            </li>
            {untold.has(step.key) && <Absent name="Deliveries">none, not subscribed</Absent>}
          </Fragment>
        ))}
        {trace.changes.length === 0 && <Absent name="Change">No changes</Absent>}
        {trace.events.length === 0 && <Absent name="Events">No events</Absent>}
        <li className={styles.under} aria-hidden="true">
          <span />
          <span className={styles.ticks}>
            {ticks.map((tick) => (
              <i key={tick.at} style={{ left: percent(tick.x) }} />
            ))}
            {gaps.map(({ from, to }) => (
              <s key={from} style={{ left: percent(x(from)), width: percent(x(to) - x(from)) }} />
            ))}
          </span>
        </li>
      </Box>
      {gaps.length > 0 && (
        <Box fz="xs" lh="xs" c="dimmed" component="p" mt={6}>
          Hatched gaps are shortened.
        </Box>
      )}
      {unread > 0 && (
        <Box fz="xs" lh="xs" c="dimmed" component="p" mt={6}>
          See Webhooks for the attempts of {unread} more deliveries.
        </Box>
      )}
    </div>
  );
};

/** What did not come of it is drawn too. */
const Absent = ({ name, children }: { name: string; children: string }) => (
  <li className={styles.step}>
    <Group component="span" className={styles.name}>
      {name}
    </Group>
    <span className={styles.absent}>
      <span>{children}</span>
    </span>
  </li>
);

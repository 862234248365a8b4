import { Box, Group, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { NextAttempt } from "../../../domain/delivery/next-attempt.tsx";
import { ResponseStatus } from "../../../domain/delivery/response-status.tsx";
import { endedByRestore } from "../../../domain/delivery/verdict.ts";
import { policiesQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { bytesFromBase64, textFromBytes } from "../../../lib/bytes.ts";
import { formatMs, formatSpan, plural } from "../../../lib/formatting.ts";
import { useDeliveriesEnabled, useEnded, useHoldReason } from "../queries.ts";

/** Milliseconds between the end of an attempt and the start of the next. */
const gapBetween = (before: Attempt, after: Attempt): number =>
  Math.max(0, Date.parse(after.started_at) - Date.parse(before.started_at) - before.duration_ms);

/** "waited 30 s": a delivery's wait before its first attempt; null when it started immediately. */
export const firstWait = (queuedAt: string, first: Pick<Attempt, "started_at"> | undefined): string | null => {
  const waited = first ? Date.parse(first.started_at) - Date.parse(queuedAt) : 0;
  return waited < 1000 ? null : `waited ${formatSpan(waited)}`;
};

/** "waited behind 17 attempts without a response": the reason for a late attempt. */
export const waitReason = ({ waited_behind: behind }: Pick<Attempt, "waited_behind">): string | null =>
  behind === undefined ? null : `behind ${plural(behind.unanswered, "attempt")} without a response`;

const Summary = ({ delivery }: { delivery: Delivery }) => {
  const { created_at, ended_at, status, next_attempt_at } = delivery;
  const sends = useDeliveriesEnabled();
  const held = useHoldReason(delivery.subscription_id);
  const ended = useEnded(delivery.subscription_id);
  const took = ended_at && formatMs(new Date(ended_at).getTime() - new Date(created_at).getTime());
  if (status === "delivered") return `${took} from queued to acknowledged`;
  if (status === "failed")
    return `${endedByRestore(delivery) ? "ended when the world was restored" : `gave up after ${took}`}; ${ended ? "its subscription has ended" : "Send again to start over"}`;
  if (!sends) return "deliveries are off: nothing is sent";
  if (held === "paused") return "paused: nothing is sent until the subscription is resumed";
  if (held) return "Not connected. Run sandbox listen on the developer machine.";
  return next_attempt_at && <NextAttempt at={next_attempt_at} />;
};

/** The response on one line: the error, or the start of the body. */
const responseLine = (attempt: Attempt): string =>
  attempt.error ?? textFromBytes(bytesFromBase64(attempt.response_body_base64)).slice(0, 120);

/** Padding beside the first and the last attempt in pixels, where scrolled content fades out. */
const EDGE = 8;
const FADES = `linear-gradient(90deg, transparent, #000 ${EDGE}px calc(100% - ${EDGE}px), transparent)`;

const OneAttempt = ({ attempt, selected, onSelect }: { attempt: Attempt; selected: boolean; onSelect: () => void }) => {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Scrolls only the line, so that content above stays visible in a low window.
    const line = item.current?.parentElement;
    if (!selected || !line || !item.current) return;
    const { offsetLeft: left, offsetWidth: width } = item.current;
    line.scrollLeft = Math.min(left - EDGE, Math.max(line.scrollLeft, left + width + EDGE - line.clientWidth));
  }, [selected]);
  return (
    <Box component="li" ref={item} flex="none" maw={240}>
      <UnstyledButton
        aria-pressed={selected}
        onClick={onSelect}
        className={`hov ${selected ? "sel" : ""}`}
        display="grid"
        px="sm"
        py="xs"
        fz="sm"
      >
        <Group component="span" gap="xs">
          <span className="sr">Attempt {attempt.number}: </span>
          <ResponseStatus status={attempt.response_status} error={attempt.error} />
          <Text c="dimmed" textWrap="nowrap">
            {formatMs(attempt.duration_ms)}
          </Text>
        </Group>
        <Text
          truncate
          size={attempt.error ? "sm" : "xs"}
          ff={attempt.error ? "text" : "monospace"}
          c="secondary"
          title={responseLine(attempt)}
        >
          {responseLine(attempt) || "empty response"}
        </Text>
      </UnstyledButton>
    </Box>
  );
};

/** The time before an attempt. */
const Gap = ({ title, children }: { title?: string; children: ReactNode }) => (
  <Text component="li" variant="aside" flex="none" maw={132} lh="16px" {...(title === undefined ? {} : { title })}>
    {children}
  </Text>
);

/** All attempts on one line with the gaps between them; the panes show the selected one. */
export const AttemptsPane = ({
  delivery,
  selected,
  onSelect,
}: {
  delivery: Delivery;
  selected: number | null;
  onSelect: (number: number) => void;
}) => {
  const { attempts, created_at } = delivery;
  const waited = firstWait(created_at, attempts[0]);
  const { data: policies } = useQuery(policiesQuery(useWorld()));
  return (
    <Box className="hb" component="section" pb={10} aria-labelledby="webhooks-attempts">
      <div className="sec">
        <Text id="webhooks-attempts" component="h2" textWrap="nowrap">
          {attempts.length === 0
            ? delivery.ended_at
              ? "No attempts"
              : "No attempts yet"
            : plural(attempts.length, "attempt")}
        </Text>
        <Text variant="aside" truncate>
          <Summary delivery={delivery} />
        </Text>
        {!endedByRestore(delivery) && (
          <Group
            component="span"
            ml="auto"
            variant="aside"
            style={{ whiteSpace: "nowrap" }}
            title="Delays between attempts. The setting webhook_retries of this world."
          >
            {policies?.webhook_retries === "none" ? "no" : policies?.webhook_retries} retries{" "}
            <Origin of="assumption" id="D72" switchable />
          </Group>
        )}
      </div>
      {attempts.length > 0 && (
        <Group component="ol" px={EDGE} gap="xs" pos="relative" style={{ overflowX: "auto", maskImage: FADES }}>
          {waited && (
            <Gap title="Time from queued to the first attempt. A subscription gets one notification at a time, and none while it is paused.">
              {waited} {attempts[0] && waitReason(attempts[0])}
            </Gap>
          )}
          {attempts.map((attempt, index) => {
            const before = attempts[index - 1];
            return (
              <Fragment key={attempt.number}>
                {before && (
                  <Gap>
                    <span className="sr">waited </span>+{formatMs(gapBetween(before, attempt))} {waitReason(attempt)}
                  </Gap>
                )}
                <OneAttempt
                  attempt={attempt}
                  selected={attempt.number === selected}
                  onSelect={() => onSelect(attempt.number)}
                />
              </Fragment>
            );
          })}
        </Group>
      )}
    </Box>
  );
};

import { Stack, Text } from "@mantine/core";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { refusalSentence } from "../../../../sandbox/contract/control/words.ts";
import { TextLink } from "../../../components/link.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { State, type StateName } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { classifyAddress } from "../../../domain/delivery/address.tsx";
import { NextAttempt } from "../../../domain/delivery/next-attempt.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { formatCount, formatMs, plural } from "../../../lib/formatting.ts";
import { isSteady, recentSentence } from "./recent.ts";

/** Health of an address, worst first. */
export const healths = [
  "nothing",
  "paused",
  "away",
  "failing",
  "lossy",
  "waiting",
  "unsteady",
  "healthy",
  "unused",
] as const;
type Health = (typeof healths)[number];

type HealthSource = Pick<
  Subscription,
  | "paused_at"
  | "failing_since"
  | "pending"
  | "last_success_at"
  | "recent"
  | "consecutive_failures"
  | "listener"
  | "receives"
>;

/** Priority: obstacles to sending, then failed deliveries, then pending ones, then how the delivered ones arrived. */
export const subscriptionHealth = (of: HealthSource): Health => {
  const { paused_at, failing_since, pending, last_success_at, recent, listener, receives } = of;
  if (receives.events.length === 0) return "nothing";
  if (paused_at !== null) return "paused";
  if (listener?.connected === false) return "away";
  if (failing_since !== null) return "failing";
  if (recent.given_up > 0) return "lossy";
  if (pending > 0) return "waiting";
  if (!isSteady(recent)) return "unsteady";
  return last_success_at === null ? "unused" : "healthy";
};

/** Mark and short text of each health: "3 attempts failed", "2 waiting". */
const healthMarks: Readonly<Record<Health, readonly [mark: StateName, words: (of: HealthSource) => string]>> = {
  nothing: ["failed", () => "receives nothing"],
  paused: ["skipped", () => "paused"],
  away: ["reconnecting", ({ pending }) => `not connected${pending > 0 ? `, ${formatCount(pending)} waiting` : ""}`],
  failing: ["failed", ({ consecutive_failures }) => `${plural(consecutive_failures, "attempt")} failed`],
  lossy: ["failed", ({ recent: { ended, given_up } }) => `${formatCount(given_up)} of ${formatCount(ended)} failed`],
  waiting: ["pending", ({ pending }) => `${formatCount(pending)} waiting`],
  unsteady: [
    "reconnecting",
    ({ recent: { ended, at_first_attempt } }) =>
      `${formatCount(ended - at_first_attempt)} of ${formatCount(ended)} needed retries`,
  ],
  healthy: ["delivered", () => "healthy"],
  unused: ["skipped", () => "no deliveries"],
};

export const healthText = (subscription: HealthSource): string =>
  healthMarks[subscriptionHealth(subscription)][1](subscription);

/** A subscription's health as an icon and a short text. */
export const HealthState = ({ subscription }: { subscription: Subscription }) => (
  <State of={healthMarks[subscriptionHealth(subscription)][0]}>{healthText(subscription)}</State>
);

/** Causes of a pause. The service pauses after three days of attempts without an acknowledgement. */
const pauses = {
  person: "manually",
  failures: "by the service, after three days without a success",
  import: "by the import",
} as const satisfies Record<NonNullable<Subscription["paused_by"]>, string>;

/** Pause with its cause and start; failures with their start and last cause; next delivery; last acknowledgement. */
export const HealthDetails = ({ subscription }: { subscription: Subscription }) => {
  const { paused_at, paused_by, failing_since, last_failure, next_attempt_at, last_success_at, pending, recent } =
    subscription;
  const { listener, receives } = subscription;
  const { ended, at_first_attempt, given_up } = recent;
  return (
    <Stack variant="aside" gap={0} py={6} align="start" style={{ whiteSpace: "normal" }}>
      <HealthState subscription={subscription} />
      <Stack component="span" gap={0} pl={18}>
        <span>{receives.sentence}</span>
        {paused_at !== null && (
          <span>
            {pauses[paused_by ?? "person"]}, <Time at={paused_at} on="real" />
            {pending > 0 && `; ${formatCount(pending)} waiting`}
          </span>
        )}
        {listener && (
          <span>
            {listener.connected ? "a developer machine is connected" : "run sandbox listen on the developer machine"}
            {listener.event_types !== null && `; only ${listener.event_types.join(", ")}`}
          </span>
        )}
        {paused_at === null && failing_since !== null && (
          <span>
            first failure <Time at={failing_since} on="real" />
          </span>
        )}
        {last_failure !== null && (
          <span>
            <TextLink href={hrefs.delivery(last_failure.delivery_id)} title="The delivery that failed last">
              {refusalSentence(last_failure)}
            </TextLink>
          </span>
        )}
        {next_attempt_at !== null && (
          <span>
            <NextAttempt at={next_attempt_at} />
          </span>
        )}
        {ended > 0 && (
          <span>
            {formatCount(at_first_attempt)} of {formatCount(ended)} at the first attempt
            {given_up > 0 && (
              <>
                ,{" "}
                <TextLink href={hrefs.deliveriesTo(subscription.id, "failed")}>{formatCount(given_up)} failed</TextLink>
              </>
            )}
          </span>
        )}
        <span>
          {last_success_at === null ? "never acknowledged" : "last success "}
          {last_success_at !== null && <Time at={last_success_at} on="real" />}
        </span>
      </Stack>
    </Stack>
  );
};

/** Summary of the newest deliveries to an address when some needed several attempts. */
export const RecentNote = ({ of: { recent, url } }: { of: Pick<Subscription, "recent" | "url"> }) => {
  const sentence = recentSentence(
    recent,
    ["partner", "machine"].includes(classifyAddress(url).kind) ? "your server" : "the receiver",
  );
  return (
    sentence !== null && (
      <Text component="p" size="sm" className="wait toned refused">
        <Sentence text={sentence} />
      </Text>
    )
  );
};

/** Facts about the newest deliveries that the state "delivered" alone hides. Empty before the first. */
export const recentFacts = ({ recent }: Pick<Subscription, "recent">) => {
  const { ended, at_first_attempt, acknowledged_p95_ms, failures } = recent;
  if (ended === 0) return [];
  const share = `${Math.floor((at_first_attempt / ended) * 100)} %`;
  return [
    [
      "First attempt",
      `${formatCount(at_first_attempt)} of the last ${plural(ended, "delivery", "deliveries")} acknowledged (${share})`,
    ] as const,
    [
      "Time to acknowledge",
      acknowledged_p95_ms === null ? "Never" : `95 % within ${formatMs(acknowledged_p95_ms)}`,
    ] as const,
    failures.length > 0 &&
      ([
        "Last failures",
        <Stack key="failures" component="span">
          {failures.map(({ delivery_id, status, error, attempts_made, delivered }) => (
            <TextLink key={delivery_id} href={hrefs.delivery(delivery_id)}>
              {status === null ? (error ?? "No response") : `Returned ${status}`}, {delivered ? "delivered" : "failed"}{" "}
              after {plural(attempts_made, "attempt")}
            </TextLink>
          ))}
        </Stack>,
      ] as const),
  ];
};

import type { ReactNode } from "react";
import { isSteady } from "../../../../sandbox/contract/control/recent-words.ts";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { TextLink } from "../../../components/link.tsx";
import { State, type StateName } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { NextAttempt } from "../../../domain/delivery/next-attempt.tsx";
import { failureWords } from "../../../domain/delivery/verdict.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import shared from "../webhooks.module.css";

/** How an address fares, worst first. */
export const healths = ["paused", "failing", "waiting", "unsteady", "healthy", "unused"] as const;
type Health = (typeof healths)[number];

export type Faring = Pick<Subscription, "paused_at" | "failing_since" | "pending" | "last_success_at" | "recent">;

/** What keeps notifications from arriving says more than what waits, and that more than how those arrived that did. */
export const healthOf = ({ paused_at, failing_since, pending, last_success_at, recent }: Faring): Health => {
  if (paused_at !== null) return "paused";
  if (failing_since !== null) return "failing";
  if (pending > 0) return "waiting";
  if (!isSteady(recent)) return "unsteady";
  return last_success_at === null ? "unused" : "healthy";
};

type Told = Faring & Pick<Subscription, "consecutive_failures">;

/** How each health is marked, and said in a few words: "3 attempts failed", "2 waiting". */
const looks: Readonly<Record<Health, readonly [mark: StateName, words: (of: Told) => string]>> = {
  paused: ["skipped", () => "paused"],
  failing: ["failed", ({ consecutive_failures }) => `${plural(consecutive_failures, "attempt")} failed`],
  waiting: ["pending", ({ pending }) => `${formatCount(pending)} waiting`],
  unsteady: [
    "reconnecting",
    ({ recent: { ended, at_first_attempt } }) =>
      `${formatCount(ended - at_first_attempt)} of ${formatCount(ended)} needed retries`,
  ],
  healthy: ["delivered", () => "healthy"],
  unused: ["skipped", () => "nothing yet"],
};

export const healthWords = (subscription: Told): string => looks[healthOf(subscription)][1](subscription);

/** What paused it; the service does when nothing was acknowledged for three days although it was sent to. */
const pauses = {
  person: "by a person",
  failures: "by the service, after three days without a success",
  import: "by the import",
} as const satisfies Record<NonNullable<Subscription["paused_by"]>, string>;

export const pausedBy = (by: Subscription["paused_by"]): string => pauses[by ?? "person"];

/** The health of a subscription in an icon and a few words. */
export const HealthState = ({ subscription }: { subscription: Subscription }) => {
  const { pending, failed, delivered } = subscription;
  return (
    <State
      of={looks[healthOf(subscription)][0]}
      title={`${formatCount(delivered)} delivered, ${formatCount(pending)} pending, ${formatCount(failed)} given up`}
    >
      {healthWords(subscription)}
    </State>
  );
};

/** By whom it is paused and since when; since when it fails and for what last; what is sent next; when it last acknowledged. */
export const Fares = ({ subscription, children }: { subscription: Subscription; children?: ReactNode }) => {
  const { paused_at, paused_by, failing_since, last_failure, next_attempt_at, last_success_at, pending } = subscription;
  return (
    <div className={`t12 t3 ${shared.fares}`}>
      <HealthState subscription={subscription} />
      {paused_at !== null && (
        <span>
          {pausedBy(paused_by)}, <Time at={paused_at} on="real" />
          {pending > 0 && `; ${formatCount(pending)} waiting`}
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
            {failureWords(last_failure)}
          </TextLink>
        </span>
      )}
      {next_attempt_at !== null && (
        <span>
          <NextAttempt at={next_attempt_at} />
        </span>
      )}
      {children}
      <span>
        {last_success_at === null ? "never acknowledged" : "last success "}
        {last_success_at !== null && <Time at={last_success_at} on="real" />}
      </span>
    </div>
  );
};

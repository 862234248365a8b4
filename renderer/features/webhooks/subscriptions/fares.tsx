import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { State } from "../../../components/state.tsx";
import { Countdown, Time } from "../../../components/time.tsx";
import { formatCount } from "../../../lib/formatting.ts";
import { useNow } from "../../../lib/world-clock.ts";
import { healthMarks, healthOf, healthWords, pausedBy } from "./health.ts";

/** The health of a subscription in an icon and a few words. */
export const HealthState = ({ subscription }: { subscription: Subscription }) => {
  const { pending, failed, delivered } = subscription;
  return (
    <State
      of={healthMarks[healthOf(subscription)]}
      title={`${formatCount(delivered)} delivered, ${formatCount(pending)} pending, ${formatCount(failed)} failed`}
    >
      {healthWords(subscription)}
    </State>
  );
};

const NextTry = ({ at }: { at: string }) => {
  const now = useNow("real", 1000);
  if (new Date(at).getTime() <= now) return <>next try now</>;
  return (
    <>
      next try in <Countdown to={at} as="span" on="real" />
    </>
  );
};

const LastSuccess = ({ at }: { at: string | null }) =>
  at === null ? (
    <>never acknowledged</>
  ) : (
    <>
      last success <Time at={at} on="real" />
    </>
  );

/** By whom it is paused and since when, or since when it fails; what is sent next; when it last acknowledged. */
export const Fares = ({ subscription }: { subscription: Subscription }) => {
  const { paused_at, paused_by, failing_since, next_attempt_at, last_success_at, pending } = subscription;
  return (
    <div className="webhooks-fares">
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
      {next_attempt_at !== null && (
        <span>
          <NextTry at={next_attempt_at} />
        </span>
      )}
      <span>
        <LastSuccess at={last_success_at} />
      </span>
    </div>
  );
};

import { Text } from "@mantine/core";
import type { ActivityCaller, GroupCaller } from "../../../sandbox/contract/control/activity-operations.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { SideGlyph } from "../../components/side.tsx";
import { originLabels } from "../../domain/exchange/fields.tsx";
import { formatCount } from "../../lib/formatting.ts";
import styles from "./activity.module.css";
import { type ActivityFilter, callerKey } from "./queries.ts";

type CallerIdentity = Omit<GroupCaller, "count" | "last_call">;

const callerName = ({ integration_id, organization_name, origin }: CallerIdentity): string => {
  const name = organization_name ?? (integration_id === null ? "No valid credentials" : shortId(integration_id));
  return origin === "partner" ? name : `${name}, ${originLabels[origin]}`;
};

/** A caller with its world and program. */
export const Caller = ({ of }: { of: CallerIdentity }) => (
  <>
    <SideGlyph side={of.side} labelled />
    <Text truncate>{callerName(of)}</Text>
    <Text c="dimmed" className={styles.world}>
      in {of.world}
    </Text>
    {of.user_agent !== null && (
      <Text variant="mono" c="dimmed" truncate className={styles.agent}>
        {of.user_agent}
      </Text>
    )}
  </>
);

interface CallersProps {
  readonly callers: readonly ActivityCaller[];
  readonly more: number;
  readonly hidesExpected: boolean;
  readonly narrow: (change: Partial<ActivityFilter>) => void;
}

/** The callers with the most failures; each filters the page. */
export const Callers = ({ callers, more, hidesExpected, narrow }: CallersProps) => {
  const counted = callers
    .map((caller) => ({ caller, failed: caller.count - (hidesExpected ? caller.expected : 0) }))
    .filter(({ failed }) => failed > 0)
    .toSorted((one, other) => other.failed - one.failed);
  const most = counted[0]?.failed ?? 1;
  return (
    <section className={styles.callers} aria-labelledby="callers">
      <div className="sec">
        <h2 id="callers">Callers</h2>
        <Text variant="aside">{formatCount(counted.length + more)}, by failures</Text>
      </div>
      <ul>
        {counted.map(({ caller, failed }) => (
          <li key={callerKey(caller)}>
            <button
              type="button"
              className={`hov ${styles.caller}`}
              title={`Show what went wrong for ${callerName(caller)} in ${caller.world}`}
              onClick={() =>
                narrow({ of: caller.world, who: caller.integration_id, agent: caller.user_agent, show: "causes" })
              }
            >
              <SideGlyph side={caller.side} labelled />
              <Text fw={500} truncate>
                {callerName(caller)}
              </Text>
              <Text size="xs" className={styles.failed}>
                {formatCount(failed)} failed
              </Text>
              <Text variant="mono" c="dimmed" truncate className={styles.about}>
                {[caller.world, caller.user_agent].filter((part) => part !== null).join(" · ")}
              </Text>
              <span className={styles.share} aria-hidden="true">
                <i style={{ width: `${Math.max(6, (failed / most) * 100)}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text component="p" variant="aside" p="xs">
          And {formatCount(more)} more. Filter by world to see them.
        </Text>
      )}
    </section>
  );
};

import type { Activity, ActivityGroup } from "../../../sandbox/contract/control/activity-operations.ts";
import { formatClock, formatDay, formatSpan } from "../../lib/formatting.ts";
import styles from "./activity.module.css";

const BAR = 10;
const HEIGHT = 56;

/** Height of a bar; a nonzero count stays visible. */
const barHeight = (count: number, most: number, height: number): number =>
  count === 0 ? 0 : Math.max(2, (count / Math.max(1, most)) * height);

const slotTotal = (groups: readonly ActivityGroup[], slots: number): number[] =>
  Array.from({ length: slots }, (_, slot) => groups.reduce((sum, { timeline }) => sum + (timeline[slot] ?? 0), 0));

const DAY_SECONDS = 86_400;
const LABELS = [0, 0.25, 0.5, 0.75, 1];

/** Failures over time: refused calls below, failed attempts above. */
export const Chart = ({
  of: { from, to, slot_seconds },
  groups,
}: {
  of: Activity;
  groups: readonly ActivityGroup[];
}) => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const slots = Math.max(1, Math.ceil((end - start) / slot_seconds / 1_000));
  const calls = slotTotal(
    groups.filter(({ kind }) => kind === "call"),
    slots,
  );
  const attempts = slotTotal(
    groups.filter(({ kind }) => kind === "delivery"),
    slots,
  );
  const most = Math.max(...calls.map((count, slot) => count + (attempts[slot] ?? 0)));
  const isDays = (end - start) / 1_000 > 2 * DAY_SECONDS;
  return (
    <div className={styles.chart}>
      <svg
        viewBox={`0 0 ${slots * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Failures over time, ${formatSpan(slot_seconds * 1_000)} a bar, at most ${most} in one`}
      >
        {calls.map((count, slot) => {
          const failed = attempts[slot] ?? 0;
          const all = barHeight(count + failed, most, HEIGHT);
          const lower = count + failed === 0 ? 0 : (count / (count + failed)) * all;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: slots have no identity
            <g key={slot}>
              <rect className={styles.none} x={slot * BAR} y={HEIGHT - 1} width={BAR - 2} height={1} />
              <rect className={styles.calls} x={slot * BAR} y={HEIGHT - lower} width={BAR - 2} height={lower} />
              <rect className={styles.attempts} x={slot * BAR} y={HEIGHT - all} width={BAR - 2} height={all - lower} />
            </g>
          );
        })}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        {LABELS.map((part) => {
          const at = new Date(start + (end - start) * part).toISOString();
          return <span key={part}>{isDays ? formatDay(at, end) : formatClock(at).slice(0, 5)}</span>;
        })}
      </div>
    </div>
  );
};

const SPARK = 24;

/** The chart of one cause, in its row. */
export const Spark = ({ of: { timeline, kind, expected } }: { of: ActivityGroup }) => {
  const most = Math.max(...timeline);
  const tone = expected ? styles.expected : kind === "call" ? styles.calls : styles.attempts;
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${timeline.length * 4} ${SPARK}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {timeline.map((count, slot) => {
        const height = count === 0 ? 1 : barHeight(count, most, SPARK);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: slots have no identity
            key={slot}
            className={count === 0 ? styles.none : tone}
            x={slot * 4}
            y={SPARK - height}
            width={3}
            height={height}
          />
        );
      })}
    </svg>
  );
};

import { IconCamera, IconCircleDot, IconDeviceFloppy, IconFileImport, IconFlag3 } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-rows.ts";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Time } from "../../../components/time.tsx";
import { formatBytes } from "../../../lib/formatting.ts";
import { searchParams, textThat, useSearchParamsOf } from "../../../lib/search-params.ts";
import { isWorldName } from "../../../lib/world-name.ts";
import { SnapshotCard } from "./snapshot-card.tsx";
import styles from "./story.module.css";
import { momentsOf, titleOf } from "./story.ts";

/** A snapshot's name is made of what a world's is. */
const params = searchParams({ at: textThat(isWorldName) });

const kinds: Readonly<Record<Snapshot["kind"], { readonly icon: IconOf; readonly word: string }>> = {
  saved: { icon: IconCamera, word: "snapshot" },
  imported: { icon: IconFileImport, word: "imported" },
  checkpoint: { icon: IconDeviceFloppy, word: "kept before it" },
};

const Point = ({ snapshot, open, onOpen }: { snapshot: Snapshot; open: boolean; onOpen: () => void }) => {
  const { icon, word } = kinds[snapshot.kind];
  return (
    <button type="button" className={styles.point} aria-pressed={open} data-kind={snapshot.kind} onClick={onOpen}>
      <Time at={snapshot.created_at} on="real" />
      <span className={styles.line}>
        <Icon of={icon} size={12} />
      </span>
      <b className="el">{titleOf(snapshot)}</b>
      <span className="nw">
        {word}, {formatBytes(snapshot.bytes)}
      </span>
    </button>
  );
};

/** What a world was, on a time line: one point of it is looked at, to be gone back to. @param row null: it has ended */
export const Story = ({
  name,
  row,
  snapshots,
}: {
  name: string;
  row: World | null;
  snapshots: readonly Snapshot[];
}) => {
  const { values, change } = useSearchParamsOf(params);
  const box = useRef<HTMLOListElement>(null);
  const newest = snapshots[0];
  const shown = snapshots.find((one) => one.name === values.at) ?? newest;
  // The newest is at the end, which a long line does not reach.
  useEffect(() => {
    if (newest !== undefined && box.current) box.current.scrollLeft = box.current.scrollWidth;
  }, [newest]);
  return (
    <section aria-label={`Time line of ${name}`}>
      <ol ref={box} className={styles.story} aria-label="Time line">
        {momentsOf(row, snapshots).map((moment) => (
          <li key={moment.is === "made" ? "made" : moment.snapshot.name} className={styles.moment}>
            {moment.is === "made" ? (
              <span className={styles.point}>
                <Time at={moment.at} on="real" />
                <span className={styles.line}>
                  <Icon of={IconFlag3} size={12} />
                </span>
                <b>Made</b>
                <span>as it is seeded</span>
              </span>
            ) : (
              <Point
                snapshot={moment.snapshot}
                open={moment.snapshot === shown}
                onOpen={() => change({ at: moment.snapshot.name })}
              />
            )}
          </li>
        ))}
        <li className={styles.moment}>
          <span className={styles.point} data-kind="now">
            <span>now</span>
            <span className={styles.line}>
              <Icon of={IconCircleDot} size={12} />
            </span>
            <b>{row === null ? "Ended" : "Now"}</b>
            <span>{row === null ? "the next call begins it anew" : formatBytes(row.bytes)}</span>
          </span>
        </li>
      </ol>
      {shown === undefined ? (
        <p className={`t12 t2 ${styles.none}`}>
          {row?.unavailable
            ? "No snapshot of it was kept, so what was in it is lost unless its file can be repaired: keep a copy of that first."
            : "No snapshot yet. Save one to come back to; before a reset, a delete and a restore a checkpoint is kept by itself, the newest ten of each world."}
        </p>
      ) : (
        <SnapshotCard key={shown.name} snapshot={shown} row={row} />
      )}
    </section>
  );
};

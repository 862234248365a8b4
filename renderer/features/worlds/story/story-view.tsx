import { Box } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowsDiff,
  IconCamera,
  IconCircleDot,
  IconDeviceFloppy,
  IconFileImport,
  IconFlag3,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-rows.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { worldsQuery } from "../../../app/world-queries.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Time } from "../../../components/time.tsx";
import { useRestoreWorld } from "../../../domain/world/mutations.ts";
import { contentsOf } from "../../../domain/world/use-worlds.ts";
import { formatBytes, formatSpan, pluralTotal } from "../../../lib/formatting.ts";
import { searchParams, textThat, useSearchParamsOf } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { isWorldName } from "../../../lib/world-name.ts";
import { useCopySnapshot, useExportWorld, useForgetSnapshot } from "../mutations.ts";
import styles from "./story.module.css";
import { differenceWords, momentsOf, restoreLabel, titleOf } from "./story.ts";

/** How many calls a world had since; read for this window's world alone, because asking another is a call to it (D82). */
const Since = ({ at }: { at: string }) => {
  const world = useWorld();
  const { data } = useQuery({
    queryKey: worldKeys(world).requests("since", at),
    queryFn: ({ signal }) => callControl("requests.list", { world, from: at, limit: 1 }, { signal }),
  });
  return data && <>, {pluralTotal(data, "call")} since then</>;
};

/** What going back to a snapshot brings, compared with the world as it is. */
const Brings = ({ snapshot, row }: { snapshot: Snapshot; row: World | null }) => {
  if (row === null) return <>Restores the world with {contentsOf(snapshot)}.</>;
  if (row.unavailable !== null) return <>Replaces the damaged file. No checkpoint of it can be saved.</>;
  const difference = differenceWords(snapshot.counts, row.counts);
  return (
    <>
      {difference === "" ? (
        "Same counts as now."
      ) : (
        <>
          Compared with now: <b>{difference}</b>.
        </>
      )}{" "}
      A checkpoint is saved first, so you can undo this.
    </>
  );
};

/** One snapshot: what is in it, what going back to it does, and the ways to do it. */
const SnapshotCard = ({ snapshot, row }: { snapshot: Snapshot; row: World | null }) => {
  const { name, world, clock_offset_seconds: ahead } = snapshot;
  const here = useWorld();
  const [asked, setAsked] = useState(false);
  const restore = useRestoreWorld();
  const forget = useForgetSnapshot();
  const save = useExportWorld();
  const copy = useCopySnapshot();
  const worlds = useQuery(worldsQuery());
  return (
    <section className={styles.card} aria-label={`Snapshot ${name}`}>
      <Box miw={0}>
        <h3 className="el" title={name}>
          {name}
        </h3>
        <p>
          <b>{contentsOf(snapshot)}</b>, {formatBytes(snapshot.bytes)}
          {ahead > 0 && `, clock +${formatSpan(ahead * 1000)}`}, saved <Time at={snapshot.created_at} on="real" />
          {row !== null && row.unavailable === null && world === here && <Since at={snapshot.created_at} />}
        </p>
      </Box>
      <div className={styles.acts}>
        <Button
          small
          look="primary"
          icon={IconArrowBackUp}
          busy={restore.isPending}
          onClick={() => restore.mutate({ world, checkpoint: name })}
        >
          {row === null ? "Restore" : restoreLabel(snapshot)}
        </Button>
        {row !== null && row.unavailable === null && (
          <LinkButton small icon={IconArrowsDiff} href={hrefs.compareWorld(world, name)}>
            Compare with now
          </LinkButton>
        )}
        {row !== null && row.unavailable === null && (
          <>
            <Button
              small
              busy={copy.isPending}
              disabled={!worlds.data}
              onClick={() => copy.mutate({ world, name, taken: worlds.data?.map((one) => one.name) ?? [] })}
            >
              Copy to new world
            </Button>
            <Button small busy={save.isPending} onClick={() => save.mutate({ world, name })}>
              Export
            </Button>
          </>
        )}
        <Button small expanded={asked} onClick={() => setAsked(!asked)}>
          Delete{" "}
        </Button>{" "}
      </div>
      <p className={styles.brings}>
        <Brings snapshot={snapshot} row={row} /> Pending deliveries from the snapshot are not sent automatically.
      </p>
      {asked && (
        <p className={`row wrap ${styles.brings}`}>
          <span className="grow">You can’t restore a deleted snapshot.</span>
          <Button small onClick={() => setAsked(false)}>
            Cancel
          </Button>
          <Button small look="danger" busy={forget.isPending} onClick={() => forget.mutate({ world, name })}>
            Delete {name}
          </Button>
        </p>
      )}
    </section>
  );
};

/** A snapshot's name is made of what a world's is. */
const params = searchParams({ at: textThat(isWorldName) });

const kinds: Readonly<Record<Snapshot["kind"], { readonly icon: IconOf; readonly word: string }>> = {
  saved: { icon: IconCamera, word: "snapshot" },
  imported: { icon: IconFileImport, word: "imported" },
  checkpoint: { icon: IconDeviceFloppy, word: "saved automatically" },
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
    <section aria-label={`Timeline of ${name}`}>
      <ol ref={box} className={styles.story} aria-label="Timeline">
        {momentsOf(row, snapshots).map((moment) => (
          <li key={moment.is === "made" ? "made" : moment.snapshot.name} className={styles.moment}>
            {moment.is === "made" ? (
              <span className={styles.point}>
                <Time at={moment.at} on="real" />
                <span className={styles.line}>
                  <Icon of={IconFlag3} size={12} />
                </span>
                <b>Created</b>
                <span>from the seed</span>
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
            <b>{row === null ? "Deleted" : "Now"}</b>
            <span>{row === null ? "the next call creates it again" : formatBytes(row.bytes)}</span>
          </span>
        </li>
      </ol>
      {shown === undefined ? (
        <Box className="t12 t2" component="p" pt={0} px="lg" pb="md">
          {row?.unavailable
            ? "This world has no snapshot. Its data is lost unless its file can be repaired, so copy the file first."
            : "No snapshots yet. Save one to return to it later. A checkpoint is saved before each reset, delete and restore (the newest 10 per world)."}
        </Box>
      ) : (
        <SnapshotCard key={shown.name} snapshot={shown} row={row} />
      )}
    </section>
  );
};

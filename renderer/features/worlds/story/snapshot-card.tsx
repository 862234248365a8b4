import { IconArrowBackUp, IconArrowsDiff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-rows.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { worldsQuery } from "../../../app/world-queries.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Time } from "../../../components/time.tsx";
import { useRestoreWorld } from "../../../domain/world/mutations.ts";
import { contentsOf } from "../../../domain/world/use-worlds.ts";
import { formatBytes, formatSpan, pluralTotal } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useCopySnapshot, useExportWorld, useForgetSnapshot } from "../mutations.ts";
import styles from "./story.module.css";
import { differenceWords, restoreLabel } from "./story.ts";

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
  if (row === null) return <>It brings the world back with {contentsOf(snapshot)}.</>;
  if (row.unavailable !== null) return <>It takes the place of the damaged file, of which no checkpoint can be kept.</>;
  const difference = differenceWords(snapshot.counts, row.counts);
  return (
    <>
      {difference === "" ? (
        "As many jobs, orders and subscriptions as the world has now."
      ) : (
        <>
          Beside the world now: <b>{difference}</b>.
        </>
      )}{" "}
      What the world is now is kept in a checkpoint first, so that this can be undone too.
    </>
  );
};

/** One snapshot: what is in it, what going back to it does, and the ways to do it. */
export const SnapshotCard = ({ snapshot, row }: { snapshot: Snapshot; row: World | null }) => {
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
      <div className={styles.what}>
        <h3 className="el" title={name}>
          {name}
        </h3>
        <p>
          <b>{contentsOf(snapshot)}</b>, {formatBytes(snapshot.bytes)}
          {ahead > 0 && `, clock +${formatSpan(ahead * 1000)}`}, kept <Time at={snapshot.created_at} on="real" />
          {row !== null && row.unavailable === null && world === here && <Since at={snapshot.created_at} />}
        </p>
      </div>
      <div className={styles.acts}>
        <Button
          small
          look="primary"
          icon={IconArrowBackUp}
          busy={restore.isPending}
          onClick={() => restore.mutate({ world, checkpoint: name })}
        >
          {row === null ? "Bring back" : restoreLabel(snapshot)}
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
              Copy to a world
            </Button>
            <Button small busy={save.isPending} onClick={() => save.mutate({ world, name })}>
              Export
            </Button>
          </>
        )}
        <Button small expanded={asked} onClick={() => setAsked(!asked)}>
          Forget
        </Button>
      </div>
      <p className={styles.brings}>
        <Brings snapshot={snapshot} row={row} /> What waited to be delivered then is not sent by itself; it can be sent
        by hand.
      </p>
      {asked && (
        <p className={`row wrap ${styles.brings}`}>
          <span className="grow">A forgotten snapshot does not come back.</span>
          <Button small onClick={() => setAsked(false)}>
            Keep it
          </Button>
          <Button small look="danger" busy={forget.isPending} onClick={() => forget.mutate({ world, name })}>
            Forget {name}
          </Button>
        </p>
      )}
    </section>
  );
};

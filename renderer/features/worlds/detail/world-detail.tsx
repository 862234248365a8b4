import { Box, Group, Stack, Text } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowsDiff,
  IconCamera,
  IconCopy,
  IconDownload,
  IconRestore,
  IconTrash,
  IconWorld,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useDrawn } from "../../../components/use-drawn.ts";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { useRestoreWorld } from "../../../domain/world/mutations.ts";
import { PinButton } from "../../../domain/world/pin-button.tsx";
import { useWorldsUi } from "../../../domain/world/worlds-ui.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { snapshotsQuery, worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatBytes, formatOffset, plural } from "../../../lib/formatting.ts";
import { worldAccess } from "../../../lib/world-access.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { Access } from "../access/access.tsx";
import { Assumptions } from "../assumptions/assumptions.tsx";
import { ClockSection } from "../clock/clock-section.tsx";
import { LastCall } from "../last-call.tsx";
import { ResetTime } from "../list/worlds-list.tsx";
import { Snapshots } from "../snapshots/snapshots.tsx";
import { WorldPages } from "../world-page.tsx";
import styles from "../worlds.module.css";
import { ExportForm } from "./export-form.tsx";
import { SaveForm } from "./save-form.tsx";

/** Sections that read within a world, which counts as a call to it (D82); so they appear only for this window's. */
const Within = ({ row: { name }, shown }: { row: World; shown: string | undefined }) =>
  name === useWorld() ? (
    <div className={styles.within}>
      <section aria-label="Clock">
        <ClockSection isShown={shown === "clock"} />
      </section>
      <div>
        <Assumptions shown={shown} />
      </div>
    </div>
  ) : (
    <Box variant="note" className="hl" component="p" py={10} px="lg">
      Open this world to change its clock and settings. Reading them here would postpone its reset.{" "}
      <TextLink href={namingWorld(hrefs.world(name), name)}>Open {name}</TextLink>
    </Box>
  );

type WorldAnswers = "save" | "export" | null;

/** Actions on a usable world. */
const Actions = ({ row }: { row: World }) => {
  const { name } = row;
  const here = useWorld();
  const isOperator = worldAccess() === null;
  const show = useWorldsUi((state) => state.show);
  const [openDialog, setOpenDialog] = useState<WorldAnswers>(null);
  const close = () => setOpenDialog(null);
  useKeys("Worlds", [
    { keys: ["s"], label: `Save a snapshot of ${name}`, needs: "manage", run: () => setOpenDialog("save") },
  ]);
  return (
    <>
      {name !== here && (
        <LinkButton small look="primary" icon={IconWorld} href={namingWorld(hrefs.world(name), name)}>
          Open world
        </LinkButton>
      )}
      <Button small needs="manage" icon={IconCamera} keys="s" onClick={() => setOpenDialog("save")}>
        Save snapshot
      </Button>
      {isOperator && (
        <Button small icon={IconCopy} onClick={() => show({ is: "copy", world: name })}>
          Copy
        </Button>
      )}
      <LinkButton small icon={IconArrowsDiff} href={hrefs.compareWorld(name)}>
        Compare
      </LinkButton>
      <Button small needs="manage" icon={IconDownload} onClick={() => setOpenDialog("export")}>
        Export
      </Button>
      <Button small needs="manage" icon={IconRestore} onClick={() => show({ is: "reset", world: name })}>
        Reset
      </Button>
      {isOperator && name !== DEFAULT_WORLD && (
        <Button small look="danger" icon={IconTrash} onClick={() => show({ is: "delete", world: name })}>
          Delete
        </Button>
      )}
      <Dialog opened={openDialog === "save"} onClose={close} title={`Save a snapshot of ${name}`} size={440}>
        <SaveForm world={name} onDone={close} />
      </Dialog>
      <Dialog opened={openDialog === "export"} onClose={close} title={`Export ${name}`} size={440}>
        <ExportForm world={name} onDone={close} />
      </Dialog>
    </>
  );
};

/** Explains why a world cannot be used, and possible fixes (D87). */
const Damaged = ({ row, newest }: { row: World; newest: Snapshot | undefined }) => {
  const show = useWorldsUi((state) => state.show);
  const restore = useRestoreWorld();
  return (
    <Stack component="section" className="hb toned bad" p="10px 16px 12px" aria-label={`${row.name} is damaged`}>
      <Text component="p" maw="80ch" style={{ overflowWrap: "anywhere" }}>
        {row.unavailable} Calls to it return 503 <Text variant="mono">world_unavailable</Text>.{" "}
        <Origin of="assumption" id="D87" />
      </Text>
      <Group wrap="wrap">
        {newest && (
          <Button
            small
            look="primary"
            icon={IconArrowBackUp}
            needs="manage"
            busy={restore.isPending}
            onClick={() => restore.mutate({ world: row.name, checkpoint: newest.name, from: newest.name })}
          >
            Restore newest snapshot
          </Button>
        )}
        <Button small icon={IconRestore} onClick={() => show({ is: "reset", world: row.name })}>
          Reset
        </Button>
        {row.name !== DEFAULT_WORLD && (
          <Button small look="danger" icon={IconTrash} onClick={() => show({ is: "delete", world: row.name })}>
            Delete
          </Button>
        )}
      </Group>
    </Stack>
  );
};

/** Facts about a world on one line; in a cluster, also its node. */
export const WorldFacts = ({ row }: { row: World }) => {
  const { counts, bytes, node } = row;
  const offset = formatOffset(row.clock_offset_seconds);
  return (
    <Group component="p" variant="note" wrap="wrap" gap="2px 16px">
      {row.unavailable === null && (
        <>
          <span>{plural(counts.jobs, "job")}</span>
          <span>{plural(counts.procurements, "order")}</span>
          <span>{plural(counts.credentials, "credential")}</span>
          <span>{plural(counts.subscriptions, "subscription")}</span>
        </>
      )}
      <span title="Size of the world’s file, without snapshots and uploaded pictures">
        {formatBytes(bytes)} on disk
      </span>
      {offset && <span>clock {offset}</span>}
      <span>
        created <Time at={row.created_at} on="real" />
      </span>
      <LastCall row={row} />
      {node && <span title={`The node that holds this world: ${node}`}>node {node.slice(0, 8)}</span>}
      {node === null && <span title="A node takes it with its next call">on no node</span>}
    </Group>
  );
};

/** @param props.row undefined: the world was deleted */
const OneWorld = ({
  name,
  row,
  snapshots,
  shown,
}: {
  name: string;
  row: World | undefined;
  snapshots: readonly Snapshot[];
  shown: string | undefined;
}) => {
  const isListDrawn = useDrawn();
  return (
    <Detail
      label={name}
      title={name}
      beside={
        row ? (
          <Group component="span" gap="xs">
            <ResetTime row={row} />
            {name !== DEFAULT_WORLD && row.unavailable === null && <PinButton row={row} />}
          </Group>
        ) : (
          <State of="cancelled">{snapshots[0]?.before === "delete" ? "deleted" : "ended"}</State>
        )
      }
      actions={row?.unavailable === null && <Actions row={row} />}
      about={row && <WorldFacts row={row} />}
      scrolls
    >
      {row?.unavailable === null && <WorldPages name={name} of="World" />}
      {row && row.unavailable !== null && <Damaged row={row} newest={snapshots[0]} />}
      <Snapshots name={name} row={row ?? null} snapshots={snapshots} />
      {isListDrawn && row?.unavailable === null && worldAccess() === null && <Access world={name} />}
      {isListDrawn && row?.unavailable === null && <Within row={row} shown={shown} />}
    </Detail>
  );
};

/**
 * A world: its content, its snapshots and actions.
 * @param props.shown the assumption in the address
 */
export const WorldDetail = ({ name, shown }: { name: string; shown?: string | undefined }) => {
  usePageTitle(name, "Worlds");
  const worlds = useQuery(worldsQuery());
  const snapshots = useQuery(snapshotsQuery());
  return (
    <Read of={worlds} what="the world" rows={6}>
      {(rows) => (
        <Read of={snapshots} what="its snapshots" rows={6}>
          {(all) => {
            const row = rows.find((one) => one.name === name);
            const own = all.filter(({ world }) => world === name);
            if (row || own.length > 0) return <OneWorld name={name} row={row} snapshots={own} shown={shown} />;
            return (
              <Missing
                icon={IconWorld}
                title={`World ${name} not found`}
                why="It was deleted and has no snapshot. The next call to this name creates a new world."
                href="/worlds"
                all="All worlds"
              />
            );
          }}
        </Read>
      )}
    </Read>
  );
};

import { Box, Menu, Text } from "@mantine/core";
import { IconArrowBackUp, IconArrowsDiff, IconDots, IconDownload, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import type { Snapshot } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note, Section } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { Time } from "../../../components/time.tsx";
import { useRestoreWorld } from "../../../domain/world/mutations.ts";
import { worldContents } from "../../../domain/world/use-worlds.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { formatBytes, formatCount, formatOffset } from "../../../lib/formatting.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { useDeleteSnapshot, useExportWorld } from "../mutations.ts";
import styles from "../worlds.module.css";
import { differenceText, kindLabels, restoreLabel, snapshotTitle } from "./words.ts";

interface SnapshotProps {
  readonly snapshot: Snapshot;
  /** Null: the world was deleted. */
  readonly row: World | null;
}

/** Confirms the deletion, which cannot be undone. */
const DeleteSnapshot = ({ snapshot: { world, name }, opened, onClose }: SnapshotProps & DialogState) => {
  const forget = useDeleteSnapshot();
  return (
    <Dialog opened={opened} onClose={onClose} title={`Delete snapshot ${name}`} size={440}>
      <Text component="p" variant="note">
        You can’t restore a deleted snapshot.
      </Text>
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          icon={IconTrash}
          needs="manage"
          busy={forget.isPending}
          onClick={() => forget.mutate({ world, name }, { onSuccess: onClose })}
        >
          Delete snapshot
        </Button>
      </DialogFoot>
    </Dialog>
  );
};

interface DialogState {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Restores a snapshot, and other actions. */
const Acts = ({ snapshot, row }: SnapshotProps) => {
  const { name, world } = snapshot;
  const [deleting, setDeleting] = useState(false);
  const restore = useRestoreWorld();
  const save = useExportWorld();
  const isUsable = row !== null && row.unavailable === null;
  return (
    <span className="acts-end">
      <Button
        small
        icon={IconArrowBackUp}
        needs="manage"
        busy={restore.isPending}
        onClick={() => restore.mutate({ world, checkpoint: name, ...(snapshot.before === null && { from: name }) })}
      >
        {row === null ? "Restore" : restoreLabel(snapshot)}
      </Button>
      {isUsable && (
        <LinkButton small icon={IconArrowsDiff} href={hrefs.compareWorld(world, name)}>
          Compare with now
        </LinkButton>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton small icon={IconDots} label={`More for ${name}`} />
        </Menu.Target>
        <Menu.Dropdown>
          {isUsable && (
            <Menu.Item
              leftSection={<Icon of={IconDownload} size={14} />}
              disabled={!hasScope("manage")}
              onClick={() => save.mutate({ world, name })}
            >
              Export
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<Icon of={IconTrash} size={14} />}
            disabled={!hasScope("manage")}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteSnapshot snapshot={snapshot} row={row} opened={deleting} onClose={() => setDeleting(false)} />
    </span>
  );
};

interface SnapshotsProps {
  readonly name: string;
  readonly row: World | null;
  /** Newest first. */
  readonly snapshots: readonly Snapshot[];
}

/** A world's snapshots, and the checkpoints saved before each reset, delete and restore. */
export const Snapshots = ({ name, row, snapshots }: SnapshotsProps) => (
  <Section
    ruled={false}
    title="Snapshots"
    note={snapshots.length > 0 ? formatCount(snapshots.length) : row === null ? "none" : undefined}
  >
    {snapshots.length > 0 && (
      <div className="scroll">
        <ShortTable
          label={`Snapshots of ${name}, newest first`}
          className={styles.snapshots}
          rows={snapshots}
          keyOf={(snapshot) => snapshot.name}
          columns={[
            { head: "Saved", width: 92, cell: ({ created_at }) => <Time at={created_at} on="real" /> },
            {
              ...{ head: "Snapshot", wraps: true },
              title: (snapshot) => snapshot.name,
              cell: (snapshot) => (
                <>
                  <Text component="b" fw={500}>
                    {snapshotTitle(snapshot)}
                  </Text>{" "}
                  <Text variant="aside">{kindLabels[snapshot.kind]}</Text>
                </>
              ),
            },
            {
              ...{ head: row === null ? "Contents" : "Compared with now", wraps: true },
              cell: ({ counts, clock_offset_seconds }) => {
                const offset = formatOffset(clock_offset_seconds);
                return (
                  <>
                    {row === null
                      ? worldContents({ counts })
                      : differenceText(counts, row.counts) || "Same counts as now"}
                    {offset && (
                      <>
                        , <Text textWrap="nowrap">clock {offset}</Text>
                      </>
                    )}
                  </>
                );
              },
            },
            { head: "Size", width: 92, right: true, cell: ({ bytes }) => formatBytes(bytes) },
            {
              ...{ head: "Actions", width: 324, isHeadHidden: true },
              cell: (snapshot) => <Acts snapshot={snapshot} row={row} />,
            },
          ]}
        />
      </div>
    )}
    <Box px="lg" pb="md" pt="xs">
      <Note>
        {snapshots.length > 0
          ? "A checkpoint is saved before each restore, so you can undo it. Pending deliveries are not sent automatically."
          : row?.unavailable
            ? "This world has no snapshot. Its data is lost unless its file can be repaired, so copy the file first."
            : "No snapshots yet. Save one to return to it later. A checkpoint is saved before each reset, delete and restore (the newest 10 per world)."}
      </Note>
    </Box>
  </Section>
);

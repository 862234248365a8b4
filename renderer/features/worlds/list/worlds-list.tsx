import { EmptyState, Group, Text } from "@mantine/core";
import { IconClock, IconFileImport, IconPin, IconPlus, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { idleTime, useResetCountdown, useResetsSoon, worldContents } from "../../../domain/world/use-worlds.ts";
import { WorkInProgress } from "../../../domain/world/work-under-way.tsx";
import { useWorldsUi } from "../../../domain/world/worlds-ui.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { ListPlace, useListFilter } from "../../../kernel/lists/list-place.tsx";
import { createThrottle } from "../../../kernel/live/cache-sync.ts";
import { useLive } from "../../../kernel/live/use-live.ts";
import { snapshotsQuery, worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatBytes, formatOffset } from "../../../lib/formatting.ts";
import { searchParams, text } from "../../../lib/search-params.ts";
import { worldAccess } from "../../../lib/world-access.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { LastCall } from "../last-call.tsx";
import { type ListedWorld, listWorlds } from "../listed-worlds.ts";
import { useOpenWorldFile } from "../mutations.ts";

const params = searchParams({ search: text });
/** Interval of reads in milliseconds, because no feed reports other worlds. */
const REFETCH_MS = 10_000;

/** Reads the counts again when the feed reports a change of this window's world. */
const useRecount = (read: () => Promise<unknown>) => {
  const [count] = useState(() => createThrottle(1_000, read));
  useLive("state", (entries) => entries.some(({ data }) => data.change !== "updated") && count("worlds"));
  useLive("world", (entries) => entries.some(({ data }) => counted.has(data.what)) && count("worlds"));
};
const counted: ReadonlySet<string> = new Set(["credentials", "subscriptions"]);

/** A world's reset time, or its damage. */
export const ResetTime = ({ row }: { row: World }) => {
  const left = useResetCountdown(row);
  const ending = useResetsSoon(row);
  if (row.unavailable !== null) return <State of="failed">damaged</State>;
  if (row.name === DEFAULT_WORLD) return <Text variant="aside">never resets</Text>;
  return (
    <Group component="span" variant="aside" gap="xs" className={ending ? "st wait" : ""} title={idleTime(row)}>
      {row.pinned ? <Icon of={IconPin} size={12} /> : ending && <Icon of={IconClock} size={14} />}
      {row.pinned ? "pinned" : left}
    </Group>
  );
};

const WorldLines = ({ row, here }: { row: World; here: boolean }) => {
  const offset = formatOffset(row.clock_offset_seconds);
  const facts = [...(here ? ["in this window"] : []), ...(offset === null ? [] : [`clock ${offset}`])];
  return (
    <>
      <span className="li-line">
        <span className="li-title">
          <Text truncate>{row.name}</Text>
        </span>
        <ResetTime row={row} />
      </span>
      <Text variant="note" className="li-line">
        <Text truncate>{row.unavailable === null ? worldContents(row) : "contents can’t be read"}</Text>
        <span>{formatBytes(row.bytes)}</span>
      </Text>
      <Text variant="aside" className="li-line">
        <Text truncate>
          {facts.length > 0 ? (
            facts.join(", ")
          ) : (
            <>
              created <Time at={row.created_at} on="real" />
            </>
          )}
        </Text>
        <span>
          <LastCall row={row} />
        </span>
      </Text>
    </>
  );
};

const EndedLines = ({ newest }: Extract<ListedWorld, { is: "ended" }>) => (
  <>
    <span className="li-line">
      <span className="li-title">
        <Text truncate>{newest.world}</Text>
      </span>
      <Text variant="aside">{newest.before === "delete" ? "deleted" : "reset"}</Text>
    </span>
    <Text variant="note" className="li-line">
      <Text truncate>{worldContents(newest)}</Text>
      <span>{formatBytes(newest.bytes)}</span>
    </Text>
    <Text variant="aside" className="li-line">
      <Text truncate>can be restored</Text>
      <span>
        saved <Time at={newest.created_at} on="real" />
      </span>
    </Text>
  </>
);

const rowKey = ({ name }: ListedWorld) => name;
const rowHref = ({ name }: ListedWorld) => hrefs.world(name);
const rowGroup = ({ is }: ListedWorld) => is;
const groupNames: Readonly<Record<string, string>> = { world: "Active worlds", ended: "Deleted worlds" };

/** All worlds, active and deleted. `shown` is the one beside the list. */
export const WorldsList = ({ shown }: { shown: string }) => {
  const here = useWorld();
  const show = useWorldsUi((state) => state.show);
  const worlds = useQuery({ ...worldsQuery(), refetchOnMount: "always", refetchInterval: REFETCH_MS });
  const snapshots = useQuery({ ...snapshotsQuery(), refetchOnMount: "always", refetchInterval: REFETCH_MS });
  useRecount(worlds.refetch);
  const state = useListFilter(params, "worlds");
  const wanted = state.filter.search.trim().toLowerCase();
  const rows = worlds.data ?? [];
  const open = useOpenWorldFile(rows.map(({ name }) => name));
  const entries = useMemo(
    () =>
      listWorlds(worlds.data ?? [], snapshots.data ?? [], here).filter(({ name }) =>
        name.toLowerCase().includes(wanted),
      ),
    [worlds.data, snapshots.data, here, wanted],
  );
  const render = useCallback(
    (entry: ListedWorld) =>
      entry.is === "world" ? <WorldLines row={entry.row} here={entry.name === here} /> : <EndedLines {...entry} />,
    [here],
  );
  const hasEnded = entries.at(-1)?.is === "ended";
  const begin = () => show({ is: "new" });
  useKeys("Worlds", worldAccess() === null ? [{ keys: ["n"], label: "New world", run: begin }] : []);
  return (
    <>
      <ListPlace
        of={{ items: entries, name: `${here} ${wanted}`, read: worlds }}
        title="Worlds"
        nouns={["world", "worlds"]}
        search={["Search worlds", "Name"]}
        state={state}
        actions={
          worldAccess() === null && (
            <>
              <Button small icon={IconFileImport} busy={open.isPending} onClick={() => open.mutate()}>
                Open file
              </Button>
              <Button small icon={IconPlus} onClick={begin}>
                New
              </Button>
            </>
          )
        }
        empty={<EmptyState icon={<IconWorld />} title="No worlds" />}
        keyOf={rowKey}
        hrefOf={rowHref}
        marked={shown}
        rowHeight={74}
        {...(hasEnded ? { groupOf: rowGroup, renderGroup: (is: string) => groupNames[is] } : {})}
        render={render}
      />
      <WorkInProgress />
    </>
  );
};

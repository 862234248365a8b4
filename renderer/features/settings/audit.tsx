import { EmptyState } from "@mantine/core";
import { IconClipboardList, IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { AuditEntry } from "../../../sandbox/contract/control/audit-operations.ts";
import { useListFilter } from "../../app/list-place.tsx";
import { type LiveListQuery, useLiveList } from "../../app/live/live-list.ts";
import { hrefs } from "../../app/places.ts";
import { serviceKeys } from "../../app/query-keys.ts";
import { type TableColumn, TablePlace } from "../../app/table-place.tsx";
import { worldsQuery } from "../../app/world-queries.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { choice, searchParams, textThat } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD, isWorldName } from "../../lib/world-name.ts";
import { Setting } from "./setting.tsx";

const AUDIT_LOG = "/settings/audit/log";

/** Where the audit log is. */
export const AuditSetting = ({ shown }: { shown: string | undefined }) => (
  <Setting
    id="audit"
    shown={shown}
    about={<p>Who changed what through the control plane, and in which world. The newest 10,000 changes are kept.</p>}
  >
    <span>
      <LinkButton icon={IconClipboardList} href={AUDIT_LOG}>
        Open audit log
      </LinkButton>
    </span>
  </Setting>
);

/** It has one order, the newest first. */
const params = searchParams({
  of: textThat(isWorldName),
  sort: choice(["time"], "time"),
  direction: choice(["desc", "asc"], "desc"),
});
const order = { order: ["sort", "direction"] };
const sorts = {};

const auditQuery = (of: string | null): LiveListQuery<AuditEntry> => ({
  queryKey: [...serviceKeys.audit, of],
  read: ({ cursor }, signal) => {
    const which = of === null ? { world: DEFAULT_WORLD, everywhere: true } : { world: of };
    return callControl("audit.list", { ...which, ...(cursor === undefined ? {} : { cursor }) }, { signal });
  },
});

const columns: readonly TableColumn<AuditEntry>[] = [
  { name: "operation", head: "Change", width: 200, cell: ({ operation }) => operation },
  { name: "by", head: "By", width: 160, cell: ({ by }) => by },
  { name: "world", head: "World", width: 140, cell: ({ world }) => world ?? "the service" },
  { name: "detail", head: "Details", width: 260, cell: ({ detail }) => detail },
  {
    ...{ name: "outcome", head: "Outcome", width: 140 },
    cell: ({ outcome }) => (outcome === "ok" ? <State of="done">done</State> : <State of="failed">{outcome}</State>),
  },
  { name: "at", head: "When", width: 112, cell: ({ at }) => <Time at={at} on="real" /> },
];

/** A row leads to its world. */
const hrefOf = ({ world }: AuditEntry): string => (world === null ? "/settings" : hrefs.world(world));

/** Every change through the control plane, newest first. No feed tells of it: it is read anew when it is opened. */
export const AuditLog = () => {
  const state = useListFilter(params, "audit", order);
  const rows = useLiveList(auditQuery(state.asked.of));
  const worlds = useQuery(worldsQuery()).data ?? [];
  const queries = useQueryClient();
  const read = useCallback(() => queries.invalidateQueries({ queryKey: serviceKeys.audit }), [queries]);
  useEffect(() => void read(), [read]);
  return (
    <TablePlace
      of={rows}
      title="Audit log"
      nouns={["change", "changes"]}
      state={state}
      filters={[
        {
          of: "of",
          title: "World",
          all: "worlds",
          options: worlds.map(({ name }) => ({ id: name, name })),
          said: (name) => `is in ${name}`,
        },
      ]}
      columns={columns}
      sorts={sorts}
      hrefOf={hrefOf}
      from={null}
      actions={
        <>
          <Button small icon={IconRefresh} needs="view" busy={rows.read.isFetching} onClick={() => void read()}>
            Reload
          </Button>
          <LinkButton small look="quiet" href="/settings/audit">
            Settings
          </LinkButton>
        </>
      }
      empty={
        <EmptyState
          icon={<IconClipboardList />}
          title="No changes yet"
          description="Changes through the explorer and the control plane appear here."
        />
      }
    />
  );
};

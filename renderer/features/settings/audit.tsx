import { EmptyState, SegmentedControl } from "@mantine/core";
import { IconClipboardList, IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import type { AuditEntry, AuditKind } from "../../../sandbox/contract/control/service-operations.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useListFilter } from "../../kernel/lists/list-place.tsx";
import { type LiveListQuery, useLiveList } from "../../kernel/lists/live-list.ts";
import { type TableColumn, TablePlace } from "../../kernel/lists/table-place.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { choice, searchParams, textThat } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD, isWorldName } from "../../lib/world-name.ts";
import { Setting } from "./setting.tsx";

const AUDIT_LOG = "/settings/audit/log";

/** Links to the audit log. */
export const AuditSetting = () => (
  <Setting
    id="audit"
    about={
      <p>
        Who changed, read or was refused what through the control plane, and in which world. Each change has an entry.
        Repeated reads and refusals have one an hour. The newest 10,000 changes are kept, and as many reads and
        refusals.
      </p>
    }
  >
    <span>
      <LinkButton icon={IconClipboardList} href={AUDIT_LOG}>
        Open audit log
      </LinkButton>
    </span>
  </Setting>
);

const params = searchParams({ of: textThat(isWorldName), kind: choice(["change", "other"], "change") });
/** `kind` isn't a filter: the two logs don't overlap. */
const order = { order: ["kind"] };

const auditQuery = (of: string | null, kind: AuditKind): LiveListQuery<AuditEntry> => ({
  queryKey: [...serviceKeys.audit, of, kind],
  read: ({ cursor }, signal) => {
    const which = of === null ? { world: DEFAULT_WORLD, everywhere: true } : { world: of };
    return callControl("audit.list", { ...which, kind, ...(cursor === undefined ? {} : { cursor }) }, { signal });
  },
});

const shownDetail = ({ text, ...named }: AuditEntry["detail"]): string =>
  [...(text === undefined ? [] : [text]), ...Object.entries(named).map(([name, value]) => `${name}=${value}`)].join(
    " ",
  );

const columns: readonly TableColumn<AuditEntry>[] = [
  { head: "Operation", width: 200, cell: ({ operation }) => operation },
  { head: "By", width: 160, cell: ({ by }) => by },
  {
    ...{ head: "World", width: 140 },
    cell: ({ world, operation }) => world ?? (operation.startsWith("service.") ? "the service" : "none"),
  },
  { head: "Details", width: 260, cell: ({ detail }) => shownDetail(detail) },
  {
    ...{ head: "Outcome", width: 140 },
    cell: ({ outcome }) => (outcome === "ok" ? <State of="done">done</State> : <State of="failed">{outcome}</State>),
  },
  { head: "When", width: 112, cell: ({ at }) => <Time at={at} on="real" /> },
];

/** A row links to its world. */
const rowHref = ({ world }: AuditEntry): string => (world === null ? "/settings" : hrefs.world(world));

/** Labels and empty states of the two logs. */
const logs = {
  change: {
    name: "Changes",
    nouns: ["change", "changes"],
    title: "No changes yet",
    about: "Changes through the explorer and the control plane appear here.",
  },
  other: {
    name: "Reads and refusals",
    nouns: ["entry", "entries"],
    title: "No reads or refusals yet",
    about: "Reads, refused calls, sign-ins and live feeds appear here.",
  },
} as const;
const kinds = (["change", "other"] as const).map((value) => ({ value, label: logs[value].name }));

/** All control calls, newest first. Read again when opened, because no feed reports them. */
export const AuditLog = () => {
  const state = useListFilter(params, "audit", order);
  const { kind } = state.debouncedFilter;
  const { nouns, title, about } = logs[kind];
  const rows = useLiveList(auditQuery(state.debouncedFilter.of, kind));
  const worlds = useQuery(worldsQuery()).data ?? [];
  const queries = useQueryClient();
  const read = useCallback(() => queries.invalidateQueries({ queryKey: serviceKeys.audit }), [queries]);
  useEffect(() => void read(), [read]);
  return (
    <TablePlace
      of={rows}
      title="Audit log"
      nouns={nouns}
      state={state}
      filters={[
        {
          of: "of",
          title: "World",
          all: "worlds",
          options: worlds.map(({ name }) => ({ id: name, name })),
          phrase: (name) => `is in ${name}`,
        },
      ]}
      columns={columns}
      hrefOf={rowHref}
      actions={
        <>
          <SegmentedControl
            aria-label="Which entries"
            data={kinds}
            value={kind}
            onChange={(next) => state.narrow({ kind: next as AuditKind })}
          />
          <Button small icon={IconRefresh} needs="view" busy={rows.read.isFetching} onClick={() => void read()}>
            Reload
          </Button>
          <LinkButton small look="quiet" href="/settings/audit">
            Settings
          </LinkButton>
        </>
      }
      empty={<EmptyState icon={<IconClipboardList />} title={title} description={about} />}
    />
  );
};

import { EmptyState } from "@mantine/core";
import { IconArrowLeft, IconChecklist } from "@tabler/icons-react";
import type { BoardRow } from "../../../sandbox/contract/control/readiness-operations.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { LinkButton } from "../../components/button.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useListFilter } from "../../kernel/lists/list-place.tsx";
import { type LiveListQuery, useLiveList } from "../../kernel/lists/live-list.ts";
import { type TableColumn, TablePlace } from "../../kernel/lists/table-place.tsx";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatCount } from "../../lib/formatting.ts";
import { searchParams } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { JudgedState } from "./readiness/judged-state.tsx";
import { nextTitle } from "./readiness/next-title.ts";

type Row = BoardRow & { readonly id: string };

/** No parameters: the list is always sorted by world and never filtered. */
const params = searchParams({});

const boardQuery = (world: string): LiveListQuery<Row> => ({
  queryKey: [...worldKeys(world).readiness("board")],
  read: async ({ cursor }, signal) => {
    // A world token sees only its own world.
    const which = worldAccess() === null ? { everywhere: true } : {};
    const request = { world, ...which, ...(cursor === undefined ? {} : { cursor }) };
    const { items, next_cursor } = await callControl("integrations.board", request, { signal });
    return {
      items: items.map((row) => ({ ...row, id: `${row.world} ${row.integration_id}` })),
      next_cursor,
      ...{ total: items.length, total_is_minimum: next_cursor !== null },
    };
  },
});

/** More are listed on the integration's page. */
const MAX_NAMED = 2;

const unmetText = ({ unmet }: BoardRow): string => {
  if (unmet.length === 0) return "nothing";
  const named = unmet.slice(0, MAX_NAMED).map(nextTitle).join(", ");
  return unmet.length > MAX_NAMED ? `${named} and ${unmet.length - MAX_NAMED} more` : named;
};

const columns: readonly TableColumn<Row>[] = [
  { head: "World", width: 150, cell: ({ world }) => world },
  {
    ...{ head: "Integration", width: 270 },
    cell: ({ scope, organization_name, integration_id }) => (
      <>
        <SideGlyph side={scope} labelled /> {organization_name} <span className="code">{shortId(integration_id)}</span>
      </>
    ),
  },
  { head: "Ready", width: 130, cell: (row) => <JudgedState of={row} /> },
  { head: "Not met", width: 320, cell: unmetText },
  { head: "Plan", width: 110, cell: ({ plan }) => plan ?? "everything" },
  { head: "Calls", width: 70, cell: ({ calls }) => formatCount(calls) },
  {
    ...{ head: "Last call", width: 112 },
    cell: ({ last_called_at }) => (last_called_at === null ? "never" : <Time at={last_called_at} on="real" />),
  },
];

const rowHref = ({ world, integration_id }: Row): string =>
  `${hrefs.integration(integration_id)}?world=${encodeURIComponent(world)}`;

/** Readiness of each integration in all worlds that this window may see. */
export const IntegrationsBoard = () => {
  const state = useListFilter(params, "board");
  const rows = useLiveList(boardQuery(useWorld()));
  return (
    <TablePlace
      of={rows}
      title="Readiness"
      nouns={["integration", "integrations"]}
      state={state}
      columns={columns}
      hrefOf={rowHref}
      actions={
        <LinkButton small look="quiet" icon={IconArrowLeft} href="/install">
          Install
        </LinkButton>
      }
      empty={
        <EmptyState
          icon={<IconChecklist />}
          title="No integrations yet"
          description="Installed integrations appear here, and pre-loaded ones after their first call."
        />
      }
    />
  );
};

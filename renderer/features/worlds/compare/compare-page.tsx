import { Box, EmptyState, Group, Table, Text } from "@mantine/core";
import { IconArrowsDiff, IconCheck, IconRefresh } from "@tabler/icons-react";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type PolicyName, policyNames, policyQuestions } from "../../../../sandbox/contract/control/policies.ts";
import type { ComparedTable, TableDifference } from "../../../../sandbox/contract/control/snapshot-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { wordsFor } from "../../../domain/world/switches.ts";
import { Work, workQuery } from "../../../domain/world/work-under-way.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { serviceKeys } from "../../../kernel/queries/query-keys.ts";
import { snapshotsQuery, worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatCount, formatMs, formatOffset, plural } from "../../../lib/formatting.ts";
import { searchParams, textThat, useSearchParamsOf } from "../../../lib/search-params.ts";
import { callControl } from "../../../lib/service-client.ts";
import { isWorldName } from "../../../lib/world-name.ts";
import { BackToWorld } from "../world-page.tsx";

/** The other side of a comparison: another world, or a snapshot of this one. */
type Other = { readonly world: string } | { readonly snapshot: string };

const params = searchParams({ other: textThat(isWorldName), snapshot: textThat(isWorldName) });

/** Title of each compared table, and the noun for one of its rows. */
const nouns: Readonly<Record<ComparedTable, readonly [title: string, one: string]>> = {
  jobs: ["Jobs", "job"],
  parts: ["Parts", "part"],
  procurements: ["Orders", "order"],
  subscriptions: ["Subscriptions", "subscription"],
  integrations: ["Integrations", "integration"],
  policies: ["Assumptions", "assumption"],
  clock: ["Clock", "clock"],
};

const kinds = { only_here: "only here", only_there: "only there", changed: "differs" } as const;

const compareQuery = (world: string, other: Other) =>
  queryOptions({
    queryKey: [...serviceKeys.worlds, "compare", world, other],
    queryFn: ({ signal }) => callControl("worlds.compare", { world, with: other }, { signal }),
    // Both sides keep changing, so nothing is cached.
    gcTime: 0,
    staleTime: 0,
    refetchOnReconnect: false,
  });

/** Rounded, because two clocks always differ by milliseconds. */
const clockText = (seconds: number): string =>
  seconds === 0
    ? "at real time"
    : (formatOffset(seconds) ?? `${formatMs(Math.abs(seconds) * 1_000)} ${seconds > 0 ? "ahead" : "behind"}`);

const valueText = (value: unknown, table: ComparedTable, policy: PolicyName | undefined): string => {
  if (table === "clock" && typeof value === "number") return clockText(value);
  if (policy !== undefined && typeof value === "string") return wordsFor(policy, value);
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
};

const rowHref = ({ job_id, procurement_id }: TableDifference["rows"][number]): string | null => {
  if (procurement_id !== null) return hrefs.procurement(procurement_id);
  return job_id === null ? null : hrefs.job(job_id);
};

const rowPolicy = (table: ComparedTable, { id, label }: TableDifference["rows"][number]): PolicyName | undefined =>
  table === "policies" ? policyNames.find((name) => name === label || name === id) : undefined;

/** A row's label; for a setting, its question. */
const rowLabel = (table: ComparedTable, label: string, policy: PolicyName | undefined): string => {
  if (table === "clock") return "World’s clock";
  return policy === undefined ? label : policyQuestions[policy].question;
};

const wrappedText = (text: string) => (
  <Text key={text} style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
    {text}
  </Text>
);

const Row = ({ table, row, world }: { table: ComparedTable; row: TableDifference["rows"][number]; world: string }) => {
  // Links lead only to this window's world.
  const policy = rowPolicy(table, row);
  const label = rowLabel(table, row.label, policy);
  const href = useWorld() === world && row.is !== "only_there" ? rowHref(row) : null;
  return (
    <li className="hl">
      <Group align="baseline" justify="space-between" p="6px 16px">
        <Text fw={500} style={{ overflowWrap: "anywhere" }}>
          {href === null ? label : <TextLink href={href}>{label}</TextLink>}
        </Text>
        <Text variant="note">{kinds[row.is]}</Text>
      </Group>
      {row.fields.length > 0 && (
        <Table
          data={{
            head: ["Field", "Here", "There"],
            body: row.fields.map(({ path, here, there }) => [
              <Text key="path" variant="mono">
                {path}
              </Text>,
              wrappedText(valueText(here, table, policy)),
              wrappedText(valueText(there, table, policy)),
            ]),
          }}
        />
      )}
    </li>
  );
};

const DifferenceTable = ({ table, world }: { table: TableDifference; world: string }) => {
  const [title, noun] = nouns[table.table];
  const differing = table.only_here + table.only_there + table.changed;
  const parts = [
    ...(table.only_here > 0 ? [`${formatCount(table.only_here)} only here`] : []),
    ...(table.only_there > 0 ? [`${formatCount(table.only_there)} only there`] : []),
    ...(table.changed > 0 ? [`${formatCount(table.changed)} ${table.changed === 1 ? "differs" : "differ"}`] : []),
  ];
  return (
    <Section
      title={title}
      note={table.table === "clock" ? undefined : `${plural(table.here, noun)} here, ${formatCount(table.there)} there`}
      actions={
        <span className={differing === 0 ? "st ok" : "st wait"}>
          <Icon of={differing === 0 ? IconCheck : IconArrowsDiff} size={14} />
          {differing === 0 ? "identical" : parts.join(", ")}
        </span>
      }
    >
      {table.rows.length > 0 && (
        <>
          <ul aria-label={`Different ${title.toLowerCase()}`}>
            {table.rows.map((row) => (
              <Row key={`${row.is} ${row.id}`} table={table.table} row={row} world={world} />
            ))}
          </ul>
          {table.rows.length < differing && (
            <Box variant="note" component="p" pt={6} px="lg" pb={10}>
              {formatCount(differing - table.rows.length)} more differences are not listed.
            </Box>
          )}
        </>
      )}
    </Section>
  );
};

const Comparing = ({ world, onCancel }: { world: string; onCancel: () => void }) => {
  const { data = [] } = useQuery({ ...workQuery(), refetchInterval: 300 });
  const progress = data.find((one) => one.kind === "compare" && one.world === world)?.progress ?? 0;
  return <Work what={`Comparing ${world}`} progress={progress} onCancel={onCancel} />;
};

const Result = ({ world, other }: { world: string; other: Other }) => {
  const client = useQueryClient();
  const query = useQuery(compareQuery(world, other));
  const cancel = () => client.cancelQueries({ queryKey: compareQuery(world, other).queryKey });
  if (query.isFetching) return <Comparing world={world} onCancel={() => void cancel()} />;
  if (query.data === undefined && query.error === null)
    return (
      <EmptyState icon={<IconArrowsDiff />} title="Comparison cancelled">
        <EmptyState.Actions>
          <Button small icon={IconRefresh} onClick={() => void query.refetch()}>
            Compare
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    );
  return (
    <Read of={query} what="the comparison">
      {({ same, tables }) => (
        <>
          <Group component="p" wrap="wrap" gap="4px 8px" p="10px 16px">
            {same ? "No differences." : "Differences found."}{" "}
            <Text c="secondary" flex={1}>
              Creation and change times are not compared.
            </Text>
            <Button small icon={IconRefresh} onClick={() => void query.refetch()}>
              Compare again
            </Button>
          </Group>
          {tables.map((table) => (
            <DifferenceTable key={table.table} table={table} world={world} />
          ))}
        </>
      )}
    </Read>
  );
};

const readOther = (other: string | null, snapshot: string | null): Other | null => {
  if (other !== null) return { world: other };
  return snapshot === null ? null : { snapshot };
};

/** Compares a world with another or a snapshot, table by table: rows on one side only, and differences. */
export const ComparePage = ({ name }: { name: string }) => {
  usePageTitle(`${name} compared`, "Worlds");
  const worlds = useQuery(worldsQuery());
  const snapshots = useQuery(snapshotsQuery());
  const { values, change } = useSearchParamsOf(params);
  const other = readOther(values.other, values.snapshot);
  const options = [
    ...(worlds.data ?? [])
      .filter((one) => one.name !== name && one.unavailable === null)
      .map((one) => ({ value: `world ${one.name}`, label: `the world ${one.name}` })),
    ...(snapshots.data ?? [])
      .filter((one) => one.world === name)
      .map((one) => ({ value: `snapshot ${one.name}`, label: `its snapshot ${one.name}` })),
  ];
  const isEmpty = worlds.isSuccess && snapshots.isSuccess && options.length === 0;
  const value = values.other === null ? values.snapshot && `snapshot ${values.snapshot}` : `world ${values.other}`;
  const choose = (chosen: string | null) => {
    const [kind, of = null] = chosen?.split(" ") ?? [];
    change({ other: kind === "world" ? of : null, snapshot: kind === "snapshot" ? of : null });
  };
  return (
    <Detail
      label={`${name} compared`}
      before={<BackToWorld name={name} />}
      title={`${name} (here) compared with`}
      beside={
        <SelectField
          label={<span className="sr">Compared with (there)</span>}
          placeholder={isEmpty ? "no other world, no snapshot" : "a world or a snapshot"}
          options={options}
          value={value}
          disabled={options.length === 0}
          onChange={choose}
        />
      }
      scrolls
    >
      {other === null ? (
        <EmptyState
          icon={<IconArrowsDiff />}
          title="Choose a world or a snapshot"
          description="Compare this world with another world, or with its own snapshots and checkpoints."
        />
      ) : (
        <Result key={JSON.stringify(other)} world={name} other={other} />
      )}
    </Detail>
  );
};

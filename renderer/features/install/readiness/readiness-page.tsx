import { Group, Menu, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconArrowLeft, IconDownload, IconKeyOff } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { NO_OPERATION } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { JudgedReadiness, Readiness } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { readinessVerdict } from "../../../../sandbox/contract/control/words.ts";
import { drills, verdictLabel } from "../../../../sandbox/contract/drills.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { PlaceHead, Section } from "../../../components/section.tsx";
import { ShortTable } from "../../../components/short-table.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { type RequestFilter, requestsHref } from "../../../domain/exchange/filter.ts";
import { OperationName } from "../../../domain/exchange/operation.tsx";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { jsonFile } from "../../../kernel/notices/file-buttons.tsx";
import { notify } from "../../../kernel/notices/notices.tsx";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { saveFile } from "../../../lib/files.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { isNotFound } from "../../../lib/service-failure.ts";
import install from "../install.module.css";
import { EvidenceList, evidenceKey } from "./evidence-list.tsx";
import { JudgedState } from "./judged-state.tsx";
import { nextTitle } from "./next-title.ts";

const readinessQuery = (world: string, integrationId: string) =>
  controlQuery(worldKeys(world).readiness(integrationId), "integrations.readiness", {
    integration_id: integrationId,
    world,
  });

/** Saves the current report as a page or as data. */
const Export = ({ readiness: { integration_id, scope } }: { readiness: Readiness }) => {
  const world = useWorld();
  const queries = useQueryClient();
  const name = `readiness-${world}-${scope}-${integration_id.slice(-8)}`;
  const saveEvidence = async () => {
    try {
      const evidence = await callControl("integrations.evidence", { integration_id, world });
      void queries.invalidateQueries({ queryKey: evidenceKey(world, integration_id) });
      const saved = await saveFile(jsonFile(name.replace("readiness", "evidence"), evidence));
      if (saved !== null) notify.done({ title: `Saved ${saved}`, detail: `Signed by the key ${evidence.fingerprint}` });
    } catch (error) {
      notify.failed("Export evidence", error);
    }
  };
  const save = async (format: "markdown" | "json") => {
    try {
      const { markdown = "", ...rest } = await callControl("integrations.readiness", { integration_id, format, world });
      const page = { name: `${name}.md`, content: markdown, mediaType: "text/markdown" };
      const saved = await saveFile(format === "markdown" ? page : jsonFile(name, rest));
      if (saved !== null) notify.done({ title: `Saved ${saved}` });
    } catch (error) {
      notify.failed("Export readiness report", error);
    }
  };
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button small icon={IconDownload}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save("markdown")}>Save as Markdown</Menu.Item>
        <Menu.Item onClick={() => void save("json")}>Save as JSON</Menu.Item>
        <Menu.Item onClick={() => void saveEvidence()}>Save as signed evidence</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

/** Progress of a kind with a bar. */
const ProgressRow = ({ what, met, of, children }: { what: string; met: number; of: number; children?: ReactNode }) => (
  <Stack gap={0} justify="space-between">
    <Text component="dt" variant="label">
      {what}
    </Text>
    <dd>
      <Text size="lg" lh="24px" c="secondary">
        <Text component="b" fz={20} c="bright">
          {met}
        </Text>{" "}
        of {of}
      </Text>
      {children && <Text variant="note">, {children}</Text>}
      <Progress value={(met / of) * 100} mt="xs" aria-hidden="true" />
    </dd>
  </Stack>
);

const Plain = ({ count }: { count: number }) => (count === 0 ? <Text c="dimmed">0</Text> : formatCount(count));

type DrillRow = Readiness["receiver"]["drills"][number];

/** Address of the counted calls: those of the integration's own programs. */
const callsHref = (integrationId: string, filter: Partial<RequestFilter> = {}): string =>
  requestsHref({ who: integrationId, by: "partner", ...filter });

/** A count that links to the counted calls, if any. */
const Calls = ({ count, href }: { count: number; href: string | null }) =>
  count === 0 || href === null ? <Plain count={count} /> : <TextLink href={href}>{formatCount(count)}</TextLink>;

const Operations = ({ of: { integration_id, operations } }: { of: Readiness }) => {
  const linkFor = (operation: string, refused = false) =>
    operation === NO_OPERATION ? null : callsHref(integration_id, { operation, refused });
  return (
    <Section title="Operations" note="available to this side">
      <ShortTable
        label="Operations"
        rows={operations}
        keyOf={({ operation }) => operation}
        columns={[
          {
            head: "Operation",
            cell: ({ operation, origin }) => (
              <Group component="span">
                <Text textWrap="nowrap">{operationTitle(operation)}</Text>
                {operation !== NO_OPERATION && <OperationName name={operation} />}
                {origin === "extension" && <Origin of="extension" />}
                {origin === "other" && <Text variant="aside">for the other side</Text>}
              </Group>
            ),
          },
          {
            ...{ head: "Calls", width: 64, right: true },
            cell: ({ operation, calls }) => <Calls count={calls} href={linkFor(operation)} />,
          },
          { head: "Done", width: 64, right: true, cell: ({ done }) => <Plain count={done} /> },
          {
            ...{ head: "Refused", width: 64, right: true },
            cell: ({ operation, refused }) => <Calls count={refused} href={linkFor(operation, true)} />,
          },
          {
            ...{ head: "Last", width: 104, right: true },
            cell: ({ last_at }) => (last_at === null ? <Text c="dimmed">never</Text> : <Time at={last_at} on="real" />),
          },
        ]}
      />
    </Section>
  );
};

const DrillState = ({ of: { drill, latest } }: { of: DrillRow }) => {
  if (latest === null) return <State of="skipped">no result</State>;
  if (latest.verdict === "passed" && !latest.proves) return <State of="skipped">inconclusive</State>;
  return <State of={latest.verdict}>{verdictLabel({ drill, verdict: latest.verdict })}</State>;
};

/** Describes the counted records, so that nobody expects more. */
const Record = ({ of: { integration_id, record } }: { of: Readiness }) => (
  <Text component="p" variant="note" px="lg" py="lg">
    Counted: <TextLink href={callsHref(integration_id)}>{plural(record.calls, "call")}</TextLink> of its own programs
    and {plural(record.deliveries, "delivery", "deliveries")} to its own receivers. Calls from this explorer, scenarios,
    assistants and replays don’t count. Neither do test events or the sandbox’s own receivers.
  </Text>
);

const Receiver = ({ of: { receiver } }: { of: Readiness }) => (
  <Section
    title="Receiver"
    note={`${plural(receiver.first_attempt, "delivery", "deliveries")} acknowledged at the first attempt, ${receiver.later_attempt} after a failure`}
  >
    <ShortTable
      label="Drills on its receiver"
      rows={receiver.drills}
      keyOf={({ drill }) => drill}
      columns={[
        {
          ...{ head: "Drill", width: 148 },
          cell: ({ drill, latest }) => {
            const { title } = drills[drill];
            return latest ? (
              <TextLink href={hrefs.subscription(latest.subscription_id, drill)}>{title}</TextLink>
            ) : (
              title
            );
          },
        },
        { head: "Latest", width: 112, cell: (row) => <DrillState of={row} /> },
        {
          head: "Result",
          title: ({ latest }) => (latest ? `${latest.url}: ${latest.sentence}` : undefined),
          cell: ({ latest }) => latest?.sentence,
        },
      ]}
    />
  </Section>
);

/** Labels of open requirements, in a partner's order. */
const kinds: Readonly<Record<Readiness["next"][number]["kind"], string>> = {
  subscription: "No subscription",
  operation: "Operations that haven’t succeeded yet",
  event: "Event types not acknowledged yet",
  retry: "Retries",
  drill: "Drills not passed yet",
  error_code: "Error codes not received yet",
};

type Step = Readiness["next"][number];

const Steps = ({ title, left }: { title: string; left: readonly Step[] }) =>
  left.length > 0 && (
    <section aria-label={title}>
      <Text component="h3" variant="label" className="hl" px="lg" py="xs">
        {title} {left.length}
      </Text>
      <ul>
        {left.map((one) => (
          <Text key={`${one.kind} ${one.name}`} component="li" size="sm" px="lg" pt="xs" pb="sm">
            <Text component="b" fw={500}>
              {nextTitle(one)}
            </Text>
            <Text component="p" c="secondary" style={{ overflowWrap: "anywhere" }}>
              {one.do}
            </Text>
          </Text>
        ))}
      </ul>
    </section>
  );

/** Open requirements, the plan's first. */
const WhatsLeft = ({ of: { next, judged } }: { of: JudgedReadiness }) => {
  const required = judged.plan === null ? [] : judged.unmet;
  const others = next.filter(({ kind, name }) => !required.some((one) => one.kind === kind && one.name === name));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" aria-label="What to do next" tabIndex={0}>
      <div className="sec">
        <h2>What to do next</h2>
        <Text variant="aside">
          {judged.plan === null
            ? `${plural(others.length, "thing")} left to do`
            : `${formatCount(required.length)} required, ${formatCount(others.length)} more`}
        </Text>
      </div>
      <Steps title={`Required by ${judged.plan}`} left={required} />
      {Object.entries(kinds).map(([kind, title]) => (
        <Steps key={kind} title={title} left={others.filter((one) => one.kind === kind)} />
      ))}
    </section>
  );
};

const PlanVerdict = ({ of: judged }: { of: JudgedReadiness["judged"] }) =>
  judged.plan !== null && (
    <Group px="lg" pb="lg" gap="xs">
      <Text>Plan {judged.plan}:</Text>
      <JudgedState of={judged} />
    </Group>
  );

const Shown = ({ readiness }: { readiness: JudgedReadiness }) => {
  const { organization_name, integration_id, scope, summary } = readiness;
  return (
    <div className="place">
      <PlaceHead
        title={
          <>
            <SideGlyph side={scope} labelled /> Readiness of {organization_name}
          </>
        }
        note={<Id value={integration_id} what="integration ID" />}
      >
        <LinkButton small look="quiet" href="/install" icon={IconArrowLeft}>
          Credentials
        </LinkButton>
        <Export readiness={readiness} />
      </PlaceHead>
      <div className={install.panes}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="scroll" aria-label="Coverage" tabIndex={0}>
          <Text component="p" fw={600} p="lg">
            {readinessVerdict(readiness)}
          </Text>
          <PlanVerdict of={readiness.judged} />
          <SimpleGrid component="dl" type="container" cols={{ base: 2, "800px": 4 }} spacing={20} px="lg">
            <ProgressRow what="Contract operations called successfully" {...summary.operations} />
            <ProgressRow what="Error codes received" {...summary.error_codes} />
            <ProgressRow what="Event types acknowledged" {...summary.events} />
            <ProgressRow what="Drills passed" met={summary.drills.passed} of={summary.drills.of}>
              {`${summary.drills.met} run`}
            </ProgressRow>
          </SimpleGrid>
          <Record of={readiness} />
          <Operations of={readiness} />
          <Receiver of={readiness} />
          <EvidenceList integrationId={integration_id} />
        </section>
        <WhatsLeft of={readiness} />
      </div>
    </div>
  );
};

/** One integration's report by the address, based only on records. */
export const ReadinessPage = ({ id }: { id: string }) => {
  const query = useQuery(readinessQuery(useWorld(), id));
  usePageTitle(query.data && `Readiness of ${query.data.organization_name}`, "Install");
  const shown = (
    <Read
      of={query}
      what="the readiness"
      rows={8}
      missing={
        <Missing
          icon={IconKeyOff}
          title="Integration not found"
          why="It was deleted by a reset, or it belongs to another world."
          href="/install"
          all="All credentials"
        />
      }
    >
      {(readiness) => <Shown readiness={readiness} />}
    </Read>
  );
  if (query.data !== undefined || isNotFound(query.error)) return shown;
  return (
    <div className="place">
      <PlaceHead title="Readiness" />
      {shown}
    </div>
  );
};

import { Box, Menu, Stack } from "@mantine/core";
import { IconArrowLeft, IconCopy, IconDownload, IconKeyOff } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ComponentProps, Fragment, type ReactNode, useId } from "react";
import { NO_OPERATION } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { Readiness } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { readinessVerdict } from "../../../../sandbox/contract/control/readiness-verdict.ts";
import { drills, verdictWord } from "../../../../sandbox/contract/drills.ts";
import { copyText } from "../../../app/copy-text.ts";
import { jsonFile } from "../../../app/file-buttons.tsx";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { worldSummaryQuery } from "../../../app/world-queries.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Id } from "../../../components/id.tsx";
import { Facts } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { OperationName } from "../../../components/operation.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { PlaceHead, Section } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { type RequestFilter, requestsHref } from "../../../domain/exchange/filter.ts";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { type FileToSave, saveFile } from "../../../lib/files.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import install from "../install.module.css";
import styles from "./readiness.module.css";
import { whatsLeft } from "./whats-left.ts";

const readinessQuery = (world: string, integrationId: string) =>
  queryOptions({
    queryKey: worldKeys(world).readiness(integrationId),
    queryFn: ({ signal }) =>
      callControl("integrations.readiness", { integration_id: integrationId, world }, { signal }),
  });

const forms = [
  ["markdown", "Markdown"],
  ["json", "JSON"],
] as const;

/** As it is at the moment it is asked for, as a page and as data. */
const Export = ({ readiness: { integration_id, scope } }: { readiness: Readiness }) => {
  const world = useWorld();
  const name = `readiness-${world}-${scope}-${integration_id.slice(0, 8)}`;
  const hand = async (format: "markdown" | "json", to: (file: FileToSave) => Promise<unknown>) => {
    try {
      const { markdown = "", ...rest } = await callControl("integrations.readiness", { integration_id, format, world });
      const page = { name: `${name}.md`, content: markdown, mediaType: "text/markdown" };
      await to(format === "markdown" ? page : jsonFile(name, rest));
    } catch (error) {
      notify.failed("Export", error);
    }
  };
  const save = async (file: FileToSave) => {
    const saved = await saveFile(file);
    if (saved !== null) notify.done({ title: `Saved ${saved}` });
  };
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button small icon={IconDownload}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {forms.map(([format, word]) => (
          <Fragment key={format}>
            <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void hand(format, save)}>
              Save as {word}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconCopy size={14} />}
              onClick={() => void hand(format, ({ content }) => copyText(String(content), `the readiness as ${word}`))}
            >
              Copy as {word}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

/** How much of a kind it has met, with a bar as long as that. */
const Met = ({ what, met, of, children }: { what: string; met: number; of: number; children?: ReactNode }) => (
  <Stack gap={0} justify="space-between">
    <dt className="lbl">{what}</dt>
    <dd>
      <span className={styles.count}>
        <b>{met}</b> of {of}
      </span>
      {children && <span className="t12 t2">, {children}</span>}
      <div className={install.track} aria-hidden="true">
        <i style={{ width: `${(met / of) * 100}%` }} />
      </div>
    </dd>
  </Stack>
);

const Never = () => <span className="t3">never</span>;

const Plain = ({ count }: { count: number }) => (
  <span className={count === 0 ? "t3" : undefined}>{formatCount(count)}</span>
);

type OperationRow = Readiness["operations"][number];
type CodeRow = Readiness["error_codes"][number];
type EventRow = Readiness["events"][number];
type DrillRow = Readiness["receiver"]["drills"][number];

const last: Column<{ readonly last_at: string | null }> = {
  key: "last",
  head: "Last",
  width: "104px",
  right: true,
  cell: ({ last_at }) => (last_at === null ? <Never /> : <Time at={last_at} on="real" />),
};

const counts = <K extends string>(key: K, head: string, width = "64px"): Column<Readonly<Record<K, number>>> => ({
  key,
  head,
  width,
  right: true,
  cell: (row) => <Plain count={row[key]} />,
});

/** The calls that were counted: of this integration's own programs. */
const callsOf = (integrationId: string, filter: Partial<RequestFilter> = {}): string =>
  requestsHref({ who: integrationId, by: "partner", ...filter });

/** A column of counts that lead to what was counted; none leads nowhere. */
const calls = (id: string, key: "calls" | "refused", head: string): Column<OperationRow> => ({
  ...counts(key, head),
  cell: ({ operation, [key]: count }) =>
    count === 0 || operation === NO_OPERATION ? (
      <Plain count={count} />
    ) : (
      <TextLink
        href={callsOf(id, { operation, refused: key === "refused" })}
        title={`Its calls of ${operation}${key === "refused" ? " that were refused" : ""}`}
      >
        {formatCount(count)}
      </TextLink>
    ),
});

const operationColumns = (id: string): readonly Column<OperationRow>[] => [
  {
    key: "operation",
    head: "Operation",
    cell: ({ operation, origin }) => (
      <span className="row">
        <span className="nw">{operationTitle(operation)}</span>
        {operation !== NO_OPERATION && <OperationName name={operation} />}
        {origin === "extension" && <Origin of="extension" />}
        {origin === "other" && <span className="t12 t3">not one of its side</span>}
      </span>
    ),
  },
  calls(id, "calls", "Calls"),
  counts("done", "Done"),
  calls(id, "refused", "Refused"),
  last,
];

const codeColumns = (id: string): readonly Column<CodeRow>[] => [
  { key: "code", head: "Error code", cell: ({ code }) => <span className="m">{code}</span> },
  {
    key: "met",
    head: "Met by",
    width: "45%",
    cell: ({ code, calls }) =>
      calls === 0 ? (
        <Never />
      ) : (
        <TextLink href={callsOf(id, { code })} title={`Its calls that were answered ${code}`}>
          {plural(calls, "call")}
        </TextLink>
      ),
  },
  last,
];

const eventColumns: readonly Column<EventRow>[] = [
  { key: "event", head: "Event type", cell: ({ event_type }) => <span className="m">{event_type}</span> },
  counts("acknowledged", "Acknowledged", "104px"),
  counts("failed", "Given up"),
  last,
];

/** @param several whether it has more than one receiver, so that each result has to name its own */
const drillColumns = (onOwn: boolean, several: boolean): readonly Column<DrillRow>[] => [
  {
    key: "drill",
    head: "Drill",
    width: "148px",
    cell: ({ drill, latest }) => {
      const { title } = drills[drill];
      return latest === null ? (
        title
      ) : (
        <TextLink href={hrefs.subscription(latest.subscription_id, drill)}>{title}</TextLink>
      );
    },
  },
  {
    key: "verdict",
    head: "Latest",
    width: "112px",
    cell: ({ drill, latest }) => <DrillState drill={drill} latest={latest} onOwn={onOwn} />,
  },
  {
    key: "why",
    head: "What it did",
    cell: ({ latest }) =>
      latest && (
        <span title={latest.sentence}>
          {several && <span className="m11">{latest.url} </span>}
          {latest.sentence}
        </span>
      ),
  },
];

const DrillState = ({ drill, latest, onOwn }: Pick<DrillRow, "drill" | "latest"> & { onOwn: boolean }) => {
  if (latest === null)
    return onOwn ? (
      <State
        of="skipped"
        title="Drills were run on the sandbox’s own receiver only, which says nothing of the partner’s"
      >
        not counted
      </State>
    ) : (
      <State of="skipped">never run</State>
    );
  if (latest.verdict === "passed" && !latest.proves)
    return (
      <State of="skipped" title="Inconclusive: it rejects valid notifications too.">
        inconclusive
      </State>
    );
  return <State of={latest.verdict}>{verdictWord(drill, latest.verdict)}</State>;
};

/** What was counted, so that nobody takes it for more; each number leads to what it counts. */
const Record = ({ of: { integration_id, preloaded, installed_at, record } }: { of: Readiness }) => {
  const { calls, since, deliveries } = record;
  return (
    <Box className="t12 t2" component="p" pt="md" px="lg" pb="lg" maw="96ch">
      {preloaded ? (
        "A pre-loaded key"
      ) : (
        <>
          Installed <Time at={installed_at} />
        </>
      )}
      , integration <Id value={integration_id} what="integration ID" />
      <br />
      Counted, the newest 5,000 at most: <TextLink href={callsOf(integration_id)}>{plural(calls, "call")}</TextLink> of
      its own programs
      {since !== null && (
        <>
          , the oldest <Time at={since} on="real" />
        </>
      )}
      , and {plural(deliveries, "delivery", "deliveries")} to its present receivers. Calls of this explorer, of
      scenarios, of assistants and of replays are not counted, nor are test events and what the sandbox’s own receivers
      did.
    </Box>
  );
};

/** Whether drills were run, but on receivers of the sandbox alone, so that none is counted. */
const useDrilledOnOwn = ({ receiver, summary }: Readiness): boolean => {
  const { data: world } = useQuery(worldSummaryQuery(useWorld()));
  const run = world?.subscriptions.filter(({ drills_run }) => drills_run > 0) ?? [];
  return summary.drills.met === 0 && receiver.subscriptions.some(({ id }) => run.some((one) => one.id === id));
};

const Receiver = ({ of: { receiver }, onOwn }: { of: Readiness; onOwn: boolean }) => (
  <Section title="Its receiver" note={plural(receiver.subscriptions.length, "subscription")}>
    {receiver.subscriptions.length > 0 && (
      <ul className={styles.subscriptions}>
        {receiver.subscriptions.map(({ id, url, paused }) => (
          <li key={id} className="row wrap t12">
            <span className="m11 wrapany">
              <TextLink href={hrefs.subscription(id)} title="How it fares, its drills and its scorecard">
                {url}
              </TextLink>
            </span>
            {paused && <State of="skipped">paused</State>}
            <span className="grow" />
            <TextLink href={hrefs.deliveriesTo(id)}>
              Its deliveries<span className="sr"> at {url}</span>
            </TextLink>
          </li>
        ))}
      </ul>
    )}
    <Box className="hb" pt="sm" px="lg" pb="md">
      <Facts
        rows={[
          ["Acknowledged at the first attempt", plural(receiver.first_attempt, "delivery", "deliveries")],
          ["At a later one, after a failure", plural(receiver.later_attempt, "delivery", "deliveries")],
        ]}
      />
    </Box>
    <Table
      caption="Drills on its receiver"
      columns={drillColumns(onOwn, receiver.subscriptions.length > 1)}
      rows={receiver.drills}
      rowKey={({ drill }) => drill}
    />
  </Section>
);

/** What it never did, each with the place that does it. */
const WhatsLeft = ({ of }: { of: Readiness }) => {
  const heading = useId();
  const left = whatsLeft(of);
  return (
    <section className={`scroll ${install.beside}`} aria-labelledby={heading}>
      <div className="sec">
        <h2 id={heading}>What to do next</h2>
        <span className="t12 t3">{plural(of.next.length, "thing")} left to do</span>
      </div>
      {left.length === 0 && (
        <Box className="t12 t2" component="p" pt="xs" px="lg" pb="sm">
          Nothing is left.
        </Box>
      )}
      {left.map(({ title, steps }) => (
        <section key={title} aria-label={title}>
          <h3 className={`row row-1 ${styles.group}`}>
            {title}
            <span className="n">{steps.length}</span>
          </h3>
          <ul>
            {steps.map(({ name, title: words, sentence, place }) => (
              <Box key={name} className="t12" component="li" pt="xs" px="lg" pb="sm">
                <span className="row wrap">
                  <span className={words === null ? "m11" : "w5"}>{words ?? name}</span>
                  <span className="grow" />
                  <span className="nw">
                    <TextLink href={place.href}>
                      {place.label}
                      <span className="sr">: {name}</span>
                    </TextLink>
                  </span>
                </span>
                <p className="t2 wrapany">{sentence}</p>
              </Box>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
};

const Counts = <T,>({
  title,
  note,
  ...table
}: Omit<ComponentProps<typeof Table<T>>, "caption"> & { title: string; note: string }) => (
  <Section title={title} note={note}>
    <Table caption={title} {...table} />
  </Section>
);

const Shown = ({ readiness }: { readiness: Readiness }) => {
  const { integration_id: id, organization_name, scope, summary } = readiness;
  const onOwn = useDrilledOnOwn(readiness);
  return (
    <div className="place">
      <PlaceHead
        title={
          <>
            <SideGlyph side={scope} labelled /> Readiness of {organization_name}
          </>
        }
      >
        <LinkButton small look="quiet" href="/install" icon={IconArrowLeft}>
          Credentials
        </LinkButton>
        <Export readiness={readiness} />
      </PlaceHead>
      <div className={install.panes}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className={`scroll ${styles.main}`} aria-label="What it has met" tabIndex={0}>
          <p className={`w6 ${styles.verdict}`}>{readinessVerdict(readiness)}</p>
          <dl className={styles.summary}>
            <Met what="Contract operations called" {...summary.operations} />
            <Met what="Error codes met" {...summary.error_codes} />
            <Met what="Event types acknowledged" {...summary.events} />
            <Met what="Drills passed" met={summary.drills.passed} of={summary.drills.of}>
              {onOwn ? "run on the sandbox’s own receiver only" : `${summary.drills.met} run`}
            </Met>
          </dl>
          <Record of={readiness} />
          <Counts
            title="Operations"
            note="those its side calls"
            columns={operationColumns(id)}
            rows={readiness.operations}
            rowKey={({ operation }) => operation}
          />
          <Counts
            title="Error codes"
            note="those its operations may answer"
            columns={codeColumns(id)}
            rows={readiness.error_codes}
            rowKey={({ code }) => code}
          />
          <Counts
            title="Events"
            note="by the deliveries of its present subscriptions, acknowledged by its own receiver"
            columns={eventColumns}
            rows={readiness.events}
            rowKey={({ event_type }) => event_type}
          />
          <Receiver of={readiness} onOwn={onOwn} />
        </section>
        <WhatsLeft of={readiness} />
      </div>
    </div>
  );
};

/** What one integration has met of the interface, from its address; nothing in it is guessed. */
export const ReadinessPage = ({ id }: { id: string }) => {
  const query = useQuery(readinessQuery(useWorld(), id));
  usePageTitle(query.data && `Readiness of ${query.data.organization_name}`, "Install");
  if (query.error instanceof ServiceFailure && (query.error.status === 404 || query.error.status === 400))
    return (
      <NothingYet icon={IconKeyOff} title="Integration not found" link={["/install", "All credentials"]}>
        It was deleted by a reset, or it belongs to another world.
      </NothingYet>
    );
  return (
    <Read of={query} what="the readiness" rows={8}>
      {(readiness) => <Shown readiness={readiness} />}
    </Read>
  );
};

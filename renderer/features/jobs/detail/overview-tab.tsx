import { Flex } from "@mantine/core";
import { IconArrowRight, IconArrowsExchange, IconBasket, IconTool } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { DeliveryRow, JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { Table } from "../../../components/table.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { jobFields } from "../../../domain/job/fields.tsx";
import { formatCount, formatMs, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { addPartsHref, traceHref } from "../address.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";
import { PictureDrop } from "../pictures/incoming.tsx";
import { NoPictures, Pictures } from "../pictures/job-pictures.tsx";
import { useJobPictures } from "../pictures/use-pictures.ts";
import { basketQuery, jobQuery, jobTracesQuery, partsQuery } from "../queries.ts";
import { type ExchangeKind, exchangeKinds, isRead, Outcome, ofKind } from "./trace-tab.tsx";

interface StepProps {
  readonly icon: IconOf;
  readonly name: string;
  readonly count: string;
  readonly children: ReactNode;
}

const Step = ({ icon, name, count, children }: StepProps) => (
  <li className={jobs.step}>
    <span className="row row-1 t12 t2">
      <Icon of={icon} size={14} />
      {name}
    </span>
    <b>{count}</b>
    <span className="t12 t3">{children}</span>
  </li>
);

/** What leads on from here: one thing, the next. */
const Next = ({ job: { row, credential }, open }: { job: JobInSight; open: number | null }) => {
  const name = useRepairerName(row);
  if (credential === null)
    return <span className={`t12 t2 ${jobs.nextWords}`}>No key for {name}. The sandbox’s own data is shown.</span>;
  const isDone = row.parts > 0 && open === 0;
  const [words, icon, href] =
    row.parts === 0
      ? (["Add parts", IconTool, addPartsHref(row.id)] as const)
      : isDone
        ? (["View orders", IconArrowRight, hrefs.job(row.id, "procurements")] as const)
        : (["Choose offers", IconBasket, hrefs.job(row.id, "basket")] as const);
  return (
    <LinkButton small look={isDone ? "default" : "primary"} icon={icon} href={href}>
      {words}
    </LinkButton>
  );
};

/** How far the job has come: parts, offers, orders. */
const Progress = ({ job }: { job: JobInSight }) => {
  const world = useWorld();
  const { row, credential } = job;
  const parts = useQuery(partsQuery(world, row.id, credential));
  const basket = useQuery({ ...basketQuery(world, row.id, credential), enabled: credential !== null && row.parts > 0 });
  const ordered = parts.data?.items.filter(({ status }) => status === "ordered").length ?? null;
  const counts = procurementStatuses.filter((status) => row.procurements[status] > 0);
  const total = counts.reduce((sum, status) => sum + row.procurements[status], 0);
  return (
    <div className={`row row-3 ${jobs.progress}`}>
      <ol>
        <Step icon={IconTool} name="Parts" count={formatCount(row.parts)}>
          {row.parts === 0 ? "none yet" : ordered === null ? "" : ordered === 0 ? "none ordered" : `${ordered} ordered`}
        </Step>
        <Step
          icon={IconBasket}
          name="Offers"
          count={basket.data ? formatCount(basket.data.offers.length) : row.parts === 0 ? "0" : "–"}
        >
          {basket.data
            ? `from ${plural(basket.data.suppliers.length, "supplier")}`
            : row.parts === 0
              ? "add parts first"
              : ""}
        </Step>
        <Step icon={IconArrowsExchange} name="Orders" count={formatCount(total)}>
          {counts.length === 0 ? (
            "no orders"
          ) : (
            <span className="row">
              {counts.map((status) => (
                <State key={status} of={status}>
                  {row.procurements[status]} {status}
                </State>
              ))}
            </span>
          )}
        </Step>
      </ol>
      <span className="grow" />
      <Next job={job} open={ordered === null ? null : row.parts - ordered} />
    </div>
  );
};

/** A notification to one address: what was sent again is it once more. */
const sentTo = ({ message_id, subscription_id }: DeliveryRow): string => `${message_id} ${subscription_id}`;

/** The deliveries that tell of a job and fail, given up or still tried again, the newest first. */
const failingDeliveriesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("of job", id),
    queryFn: ({ signal }) => callControl("deliveries.list", { world, job_id: id, limit: 200 }, { signal }),
    select: ({ items }) => {
      const arrived = new Set(items.filter(({ status }) => status === "delivered").map(sentTo));
      return items.filter((one) => one.attempts_made > 0 && one.status !== "delivered" && !arrived.has(sentTo(one)));
    },
  });

/** That somebody was not told of the job; nothing where everybody was. */
const FailingDeliveries = ({ jobId }: { jobId: string }) => {
  const { data: [newest, ...others] = [] } = useQuery(failingDeliveriesQuery(useWorld(), jobId));
  if (!newest) return null;
  const count = others.length + 1;
  return (
    <p className={`${jobs.pad} t12`}>
      <State of="failed">
        <Link href={hrefs.delivery(newest.id)} className="lnk">
          {plural(count, "failing delivery", "failing deliveries")} for this job
        </Link>
      </State>
    </p>
  );
};

const isNull = <span className="t3 m11">null</span>;
const text = (value: string | null) => (value === null ? isNull : <span className="m wrapany">{value}</span>);

/** A field by its name: its value, and in smaller words what the contract or a decision says of it. */
const field = (name: string, value: ReactNode, says?: ReactNode) =>
  [
    name,
    <Flex key={name} component="span" columnGap="sm" rowGap={0} align="baseline" wrap="wrap">
      <span>{value}</span>
      {says && <span className="t11 t3">{says}</span>}
    </Flex>,
  ] as const;

const byContract = <Origin of="contract" />;

/** What the head above does not show: identifiers by the names of the API, and when the sandbox saw the job. */
const JobFields = ({ row, job }: { row: JobRow; job: Job | null }) => {
  const { work_provider: insurer } = row;
  return (
    <Section ruled={false} title="More fields">
      <div className={jobs.pad}>
        <KeyValue
          rows={[
            field(jobFields.siteId.name, <Id value={row.site.id} what="site ID" />),
            field(
              jobFields.providerId.name,
              insurer ? <Id value={insurer.id} what="insurer ID" /> : isNull,
              insurer === null && <>no insurer has access {byContract}</>,
            ),
            job?.vehicle === null
              ? field("vehicle", isNull, "no vehicle data")
              : field(jobFields.plateState.name, text(row.plate_state)),
            field("created", <Time at={row.created_at} />, "sandbox only"),
            field("last changed", <Time at={row.updated_at} />, "sandbox only"),
          ]}
        />
      </div>
    </Section>
  );
};

/** So many are shown; the tab Trace has more. */
const SHOWN = 12;

/** The last calls that were about a job, as a part of its overview: those that changed it, or the reads too. */
const Exchanges = ({ jobId }: { jobId: string }) => {
  const [kind, setKind] = useState<ExchangeKind>("changes");
  const query = useQuery(jobTracesQuery(useWorld(), jobId));
  const [, navigate] = useLocation();
  return (
    <Section
      title="Recent calls for this job"
      note="all integrations, newest first"
      actions={<Segmented label="Which calls" options={exchangeKinds} value={kind} onChange={setKind} />}
    >
      <Read of={query} what="the calls">
        {({ items }) => {
          const rows = ofKind(items, kind).slice(0, SHOWN);
          if (rows.length === 0)
            return (
              <p className={`${jobs.pad} t12 t3`}>
                {items.length === 0
                  ? "No recorded calls. This job is part of the seed data, or its calls were deleted by retention."
                  : "No recorded changes. This job was only read."}
              </p>
            );
          return (
            <Table
              caption="Recent calls for this job"
              rows={rows}
              rowKey={(row) => row.id}
              onOpen={(row) => navigate(traceHref(jobId, row.id))}
              columns={[
                { key: "at", head: "Time", width: "84px", cell: (row) => <Time at={row.at} as="clock" on="real" /> },
                {
                  key: "operation",
                  head: "Operation",
                  width: "270px",
                  cell: (row) => (
                    <Link href={traceHref(jobId, row.id)} className="row opn">
                      <Operation id={row.operation ?? row.path} side={row.side} />
                    </Link>
                  ),
                },
                {
                  key: "outcome",
                  head: "Result",
                  cell: (row) => (
                    <span className={isRead(row) ? "t3" : ""} title={row.outcome}>
                      <Outcome row={row} />
                    </span>
                  ),
                },
                {
                  key: "events",
                  head: "Events",
                  width: "64px",
                  right: true,
                  cell: (row) => (row.events > 0 ? row.events : <span className="t3">0</span>),
                },
                { key: "ms", head: "Duration", width: "74px", right: true, cell: (row) => formatMs(row.duration_ms) },
                { key: "status", head: "Status", width: "86px", cell: (row) => <HttpStatus status={row.status} /> },
              ]}
            />
          );
        }}
      </Read>
    </Section>
  );
};

/** What waits for no other read is drawn at once. */
const Body = ({ job, children }: { job: JobInSight; children: ReactNode }) => (
  <div className={`scroll ${jobs.panel}`}>
    <Progress job={job} />
    <FailingDeliveries jobId={job.row.id} />
    <div className={jobs.overview}>{children}</div>
    <Exchanges jobId={job.row.id} />
  </div>
);

/** A job whose pictures can be added to: dropped anywhere on it, or pasted. */
const WithKey = ({ job, credential }: { job: JobInSight; credential: KeyedCredential }) => {
  const { row } = job;
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  const pictures = useJobPictures(row.id, credential);
  return (
    <PictureDrop
      className={`col ${jobs.panel}`}
      words={`Drop to add to ${row.job_number ?? "this job"}`}
      onFiles={pictures.add}
    >
      <Body job={job}>
        <JobFields row={row} job={stored.data ?? null} />
        <Read of={stored} what="the pictures" rows={6}>
          {({ images }) => <Pictures images={images} of={pictures} />}
        </Read>
      </Body>
    </PictureDrop>
  );
};

/** Everything a job is: how far it has come, its fields, its pictures, and what was said about it on the wire. */
export const OverviewTab = ({ job }: { job: JobInSight }) =>
  job.credential ? (
    <WithKey job={job} credential={job.credential} />
  ) : (
    <Body job={job}>
      <JobFields row={job.row} job={null} />
      <NoPictures />
    </Body>
  );

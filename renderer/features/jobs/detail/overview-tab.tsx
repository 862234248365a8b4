import { Flex, Group, Text } from "@mantine/core";
import { IconArrowRight, IconBasket, IconTool } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { jobFields } from "../../../domain/job/fields.tsx";
import { plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { addPartsHref } from "../address.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";
import { PictureDrop } from "../pictures/incoming.tsx";
import { NoPictures, Pictures } from "../pictures/job-pictures.tsx";
import { useJobPictures } from "../pictures/use-pictures.ts";
import { jobQuery, partsQuery } from "../queries.ts";

/** What leads on from here: one thing, the next. */
const Next = ({ job: { row, credential } }: { job: JobInSight }) => {
  const name = useRepairerName(row);
  const { data: parts } = useQuery(partsQuery(useWorld(), row.id, credential));
  if (credential === null)
    return (
      <Text component="p" variant="note" className={jobs.next}>
        No key for {name}. The sandbox’s own data is shown.
      </Text>
    );
  const isOrdered = parts?.items.every(({ status }) => status === "ordered") ?? false;
  const [said, words, icon, href] =
    row.parts === 0
      ? (["This job has no parts.", "Add parts", IconTool, addPartsHref(row.id)] as const)
      : isOrdered
        ? (["All parts are ordered.", "View orders", IconArrowRight, hrefs.job(row.id, "procurements")] as const)
        : (["Some parts aren’t ordered.", "Choose offers", IconBasket, hrefs.job(row.id, "basket")] as const);
  return (
    <Group className={jobs.next}>
      <Text variant="note">{said}</Text>
      <LinkButton small look={isOrdered ? "default" : "primary"} icon={icon} href={href}>
        {words}
      </LinkButton>
      <FailingDeliveries jobId={row.id} />
    </Group>
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
  const { data: failing = [] } = useQuery(failingDeliveriesQuery(useWorld(), jobId));
  const [newest] = failing;
  if (newest === undefined) return null;
  return (
    <State of="failed">
      <TextLink href={hrefs.delivery(newest.id)}>
        {plural(failing.length, "failing delivery", "failing deliveries")} for this job
      </TextLink>
    </State>
  );
};

const isNull = (
  <Text variant="mono" c="dimmed">
    null
  </Text>
);

/** A field by its name: its value, and in smaller words what the contract or a decision says of it. */
const field = (name: string, value: ReactNode, says?: ReactNode) =>
  [
    name,
    <Flex key={name} component="span" columnGap="sm" rowGap={0} align="baseline" wrap="wrap">
      <span>{value}</span>
      {says && (
        <Text size="xs" c="dimmed">
          {says}
        </Text>
      )}
    </Flex>,
  ] as const;

/** What the head above does not show: identifiers by the names of the API, and when the sandbox saw the job. */
const Body = ({ job, children }: { job: JobInSight; children: ReactNode }) => {
  const { site, work_provider: insurer, plate_state, created_at, updated_at } = job.row;
  return (
    <div className={`scroll ${jobs.panel}`}>
      <Next job={job} />
      <div className={jobs.overview}>
        <Section ruled={false} title="More fields">
          <div className={jobs.pad}>
            <KeyValue
              rows={[
                field(jobFields.siteId.name, <Id value={site.id} what="site ID" />),
                insurer
                  ? field(jobFields.providerId.name, <Id value={insurer.id} what="insurer ID" />)
                  : field(
                      jobFields.providerId.name,
                      isNull,
                      <>
                        no insurer has access <Origin of="contract" />
                      </>,
                    ),
                field(jobFields.plateState.name, plate_state ?? isNull),
                field("created", <Time at={created_at} />, "sandbox only"),
                field("last changed", <Time at={updated_at} />, "sandbox only"),
              ]}
            />
          </div>
        </Section>
        {children}
      </div>
    </div>
  );
};

/** A job whose pictures can be added to: dropped anywhere on it, or pasted. */
const WithKey = ({ job, credential }: { job: JobInSight; credential: KeyedCredential }) => {
  const { row } = job;
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  const pictures = useJobPictures(row.id, credential);
  return (
    <PictureDrop className={jobs.panel} words={`Drop to add to ${row.job_number ?? "this job"}`} onFiles={pictures.add}>
      <Body job={job}>
        <Read of={stored} what="the pictures" rows={6}>
          {({ images }) => <Pictures images={images} of={pictures} />}
        </Read>
      </Body>
    </PictureDrop>
  );
};

/** What comes next for a job, the rest of its fields, and its pictures. */
export const OverviewTab = ({ job }: { job: JobInSight }) =>
  job.credential ? (
    <WithKey job={job} credential={job.credential} />
  ) : (
    <Body job={job}>
      <NoPictures />
    </Body>
  );

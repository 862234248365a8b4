import { Box, Group, Text } from "@mantine/core";
import { IconArrowRight, IconBasket, IconTool } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { State } from "../../../components/state.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { addPartsHref } from "../address.ts";
import { type OpenedJob, useRepairerName } from "../open-job.ts";
import { PictureDrop } from "../pictures/incoming.tsx";
import { NoPictures, Pictures } from "../pictures/job-pictures.tsx";
import { useJobPictures } from "../pictures/use-pictures.ts";
import { jobQuery, partsQuery } from "../queries.ts";

/** The single next action. */
const Next = ({ job: { row, credential } }: { job: OpenedJob }) => {
  const name = useRepairerName(row);
  const { data: parts } = useQuery(partsQuery(useWorld(), row.id, credential));
  if (credential === null)
    return (
      <Text component="p" variant="note" className="hb" p="12px 16px">
        No key for {name}. The sandbox’s own data is shown.
      </Text>
    );
  const isOrdered = parts?.items.every(({ status }) => status === "ordered") ?? false;
  const [status, label, icon, href] =
    row.parts === 0
      ? (["This job has no parts.", "Add parts", IconTool, addPartsHref(row.id)] as const)
      : isOrdered
        ? (["All parts are ordered.", "View orders", IconArrowRight, hrefs.job(row.id, "procurements")] as const)
        : (["Some parts aren’t ordered.", "Choose offers", IconBasket, hrefs.job(row.id, "basket")] as const);
  return (
    <Group className="hb" p="12px 16px" bg="var(--canvas)">
      <Text variant="note">{status}</Text>
      <LinkButton small look={isOrdered ? "default" : "primary"} icon={icon} href={href}>
        {label}
      </LinkButton>
      <FailingDeliveries jobId={row.id} />
    </Group>
  );
};

/** Identifies a notification to an address, across resends. */
const notificationKey = ({ message_id, subscription_id }: DeliveryRow): string => `${message_id} ${subscription_id}`;

/** Failed deliveries about a job, including those with retries, newest first. */
const failingDeliveriesQuery = (world: string, id: string) =>
  queryOptions({
    queryKey: worldKeys(world).deliveries("of job", id),
    queryFn: ({ signal }) => callControl("deliveries.list", { world, job_id: id, limit: 200 }, { signal }),
    select: ({ items }) => {
      const arrived = new Set(items.filter(({ status }) => status === "delivered").map(notificationKey));
      return items.filter(
        (one) => one.attempts_made > 0 && one.status !== "delivered" && !arrived.has(notificationKey(one)),
      );
    },
  });

/** A warning about undelivered events; empty when there are none. */
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

/** A job that accepts pictures by drop anywhere, or by paste. */
const WithKey = ({ job, credential }: { job: OpenedJob; credential: KeyedCredential }) => {
  const { row } = job;
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  const pictures = useJobPictures(row.id, credential);
  return (
    <PictureDrop words={`Drop to add to ${row.job_number ?? "this job"}`} onFiles={pictures.add}>
      <Next job={job} />
      <Read of={stored} what="the pictures" rows={6}>
        {({ images }) => <Pictures images={images} of={pictures} />}
      </Read>
    </PictureDrop>
  );
};

/** A job's next action and its pictures; its fields are in the heading. */
export const OverviewTab = ({ job }: { job: OpenedJob }) =>
  job.credential ? (
    <WithKey job={job} credential={job.credential} />
  ) : (
    <Box className="scroll" flex={1}>
      <Next job={job} />
      <NoPictures />
    </Box>
  );

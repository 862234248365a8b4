import { Box, Tabs, Text } from "@mantine/core";
import { IconCarOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { CountedTabs, Detail, useTabKeys } from "../../../components/detail.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Missing, Read, Skeletons } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { NoKey } from "../../../domain/credential/no-key.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { RequestPreview } from "../../../domain/exchange/request-preview.tsx";
import { useFormAddress } from "../../../kernel/addresses/form-address.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useLive } from "../../../kernel/live/use-live.ts";
import { jsonFile, SaveButton } from "../../../kernel/notices/file-buttons.tsx";
import { Boundary } from "../../../kernel/place/boundary.tsx";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { readDraft } from "../../../lib/draft.ts";
import { late } from "../../../lib/late.ts";
import { BasketTab } from "../basket/basket-tab.tsx";
import { editDraft } from "../form/job-draft.ts";
import { jobName } from "../job-name.ts";
import jobs from "../jobs.module.css";
import { jobInstallHref, type OpenedJob, useJobRow, useOpenedJob, useRepairerName } from "../open-job.ts";
import { PartsTab } from "../parts/parts-tab.tsx";
import { basketQuery, jobQuery } from "../queries.ts";
import { useJobHead } from "./job-head.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { ProcurementsTab } from "./procurements-tab.tsx";
import { TraceTab } from "./trace-tab.tsx";

/** Loaded on demand. */
const EditJobDialog = late(async () => (await import("../late.ts")).EditJobDialog).Part;

/** Operations of tabs that need the buyer's key, and their content. */
const keyOperations = {
  parts: ["repairer.jobs.parts.list", "its parts"],
  basket: ["repairer.jobs.baskets.latest.get", "its basket"],
  json: ["repairer.jobs.get", "its JSON"],
} as const;

const TabWithoutKey = ({ row, what }: { row: JobRow; what: keyof typeof keyOperations }) => {
  const [operation, shows] = keyOperations[what];
  return (
    <NoKey
      organization={useRepairerName(row)}
      side="repairer"
      operation={operation}
      shows={shows}
      install={jobInstallHref({ organization: row.organization_id, scope: "repairer" }, row, what)}
    >
      <LinkButton small href={hrefs.job(row.id, "overview")}>
        View overview
      </LinkButton>
    </NoKey>
  );
};

const tabNames = ["overview", "parts", "basket", "procurements", "trace", "json"] as const;
type TabName = (typeof tabNames)[number];
const isTab = (tab: string | undefined): tab is TabName => tabNames.some((name) => name === tab);

export const JobDetail = ({ id, tab }: { id: string; tab: string | undefined }) => {
  const row = useJobRow(id);
  const shown = isTab(tab) ? tab : "overview";
  const [deleted, setDeleted] = useState<string | null>(null);
  useLive("state", (entries) => {
    const last = entries.findLast(({ data }) => data.entity === "job" && data.id === id)?.data;
    if (last) setDeleted(last.change === "deleted" ? last.label : null);
  });
  return (
    <Read of={row} what="the job" rows={5}>
      {(known) => (known ? <OpenJob row={known} tab={shown} /> : <NoJob id={id} deleted={deleted} />)}
    </Read>
  );
};

/** A missing or deleted job; `deleted` is its former label. */
const NoJob = ({ id, deleted }: { id: string; deleted: string | null }) => {
  const wasBegun = readDraft(editDraft(useWorld(), id)) !== null;
  usePageTitle(deleted === null ? "Job not found" : `${deleted}, deleted`, "Jobs");
  return (
    <Missing
      icon={IconCarOff}
      title={deleted === null ? "Job not found in this world" : `${deleted} was deleted`}
      why={
        deleted === null ? (
          <>
            No job has the ID{" "}
            <Text variant="mono" style={{ overflowWrap: "anywhere" }}>
              {id}
            </Text>
            . It was deleted, the world was reset, or the link is for another world.
          </>
        ) : (
          <>
            Its parts and cancelled orders were deleted too. <Text variant="mono">repairer.jobs.get</Text> now returns
            not_found.
            {wasBegun && " Your changes were not sent."}
          </>
        )
      }
      href="/jobs"
      all="All jobs"
    />
  );
};

/** The contract's response for the job, with its request. Reading it here is not recorded. */
const JsonTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const stored = useQuery(jobQuery(useWorld(), row.id, credential));
  return (
    <Read of={stored} what="the job" rows={6}>
      {(job) => (
        <Box className="scroll" flex={1}>
          <Section
            ruled={false}
            title="Request"
            note={`as ${credential.organization_name}`}
            actions={<Origin of="contract" />}
          >
            <Box px="lg" pb="lg">
              <RequestPreview
                operation="repairer.jobs.get"
                body={{ identity: { id: row.id } }}
                credential={credential}
              />
            </Box>
          </Section>
          <Section
            title="Response"
            actions={<SaveButton what="the response" file={() => jsonFile(`job-${row.job_number ?? row.id}`, job)} />}
          >
            <Box px="lg" pb="lg">
              <JsonView value={job} label="response" />
            </Box>
          </Section>
        </Box>
      )}
    </Read>
  );
};

const Panel = ({ tab, job }: { tab: TabName; job: OpenedJob }) => {
  if (tab === "trace") return <TraceTab jobId={job.row.id} />;
  if (!job.knowsKey) return <Skeletons what="the job" />;
  if (tab === "overview") return <OverviewTab job={job} />;
  if (tab === "procurements") return <ProcurementsTab job={job} />;
  const { row, credential } = job;
  if (credential === null) return <TabWithoutKey row={row} what={tab} />;
  if (tab === "parts") return <PartsTab row={row} credential={credential} />;
  if (tab === "basket") return <BasketTab row={row} credential={credential} />;
  return <JsonTab row={row} credential={credential} />;
};

const OpenJob = ({ row, tab }: { row: JobRow; tab: TabName }) => {
  const world = useWorld();
  const [, navigate] = useLocation();
  const form = useFormAddress("edit");
  const job = useOpenedJob(row);
  const stored = useQuery(jobQuery(world, row.id, job.credential));
  const basket = useQuery({
    ...basketQuery(world, row.id, job.credential),
    enabled: job.credential !== null && row.parts > 0,
  });
  usePageTitle(jobName(row) ?? row.plate_number ?? "Job", "Jobs");
  const show = (name: string) => navigate(hrefs.job(row.id, name));
  const edit = stored.data ? form.open : null;
  // Read while no form is open, because only a form writes it.
  const isBegun = !form.opened && readDraft(editDraft(world, row.id)) !== null;
  const { order_requested, order_confirmed, cancelled } = row.procurements;
  const tabs = [
    { value: "overview", label: "Overview" },
    { value: "parts", label: "Parts", count: row.parts, noun: "part" },
    { value: "basket", label: "Basket", count: row.parts === 0 ? 0 : basket.data?.offers.length, noun: "offer" },
    { value: "procurements", label: "Orders", count: order_requested + order_confirmed + cancelled, noun: "order" },
    { value: "trace", label: "Trace" },
    { value: "json", label: "JSON" },
  ] as const;
  useKeys("Job", [{ keys: ["e"], label: "Edit job", needs: "act", enabled: edit !== null, run: () => edit?.() }]);
  useTabKeys("Job", tabs, show);
  return (
    <Detail label={`Job ${jobName(row) ?? row.id}`} className={jobs.detail} {...useJobHead(job, edit, isBegun)}>
      <Tabs value={tab} onChange={(name) => name && show(name)}>
        <CountedTabs label="Job" tabs={tabs} />
        <Tabs.Panel value={tab}>
          <Boundary title={tabs.find(({ value }) => value === tab)?.label ?? tab}>
            <Panel tab={tab} job={job} />
          </Boundary>
        </Tabs.Panel>
      </Tabs>
      {form.isNeeded && stored.data && job.credential && (
        <EditJobDialog
          opened={form.opened}
          onClose={form.close}
          row={row}
          job={stored.data}
          credential={job.credential}
        />
      )}
    </Detail>
  );
};

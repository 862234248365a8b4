import { Box, EmptyState, Stack, Text } from "@mantine/core";
import { IconPlus, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Toolbar } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { plural } from "../../../lib/formatting.ts";
import { usePageParams } from "../address.ts";
import jobs from "../jobs.module.css";
import { partsQuery } from "../queries.ts";
import { AddParts } from "./add-parts.tsx";

const text = (value: string | null) =>
  value === null ? (
    <Text variant="mono" c="dimmed">
      null
    </Text>
  ) : (
    <span title={value}>{value}</span>
  );

const columns: readonly Column<Part>[] = [
  {
    key: "description",
    head: "description",
    cell: ({ description }) => (description === "" ? <Text c="dimmed">empty description</Text> : text(description)),
  },
  { key: "status", head: "status", width: "104px", cell: ({ status }) => <State of={status} /> },
  { key: "ghca", head: "ghca_id", width: "112px", cell: ({ ghca_id }) => text(ghca_id) },
  { key: "note", head: "note", width: "22%", cell: ({ note }) => text(note) },
  { key: "external", head: "external_id", width: "124px", cell: ({ external_id }) => text(external_id) },
  { key: "id", head: "id", width: "132px", cell: ({ id }) => <Id value={id} what="part ID" /> },
];

/** The parts of a job, and adding some. */
export const PartsTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(partsQuery(useWorld(), row.id, credential));
  // Whoever comes to add parts finds the form open.
  const [adding, setAdding] = useState(usePageParams().add);
  useKeys("Job", [{ keys: ["a"], label: "Add parts", run: () => setAdding(true) }]);
  return (
    <Read of={query} what="the parts" rows={6}>
      {({ items: parts }) => {
        const ordered = parts.filter(({ status }) => status === "ordered").length;
        return (
          <div className={`scroll ${jobs.panel}`}>
            <Toolbar label="Parts">
              <Text variant="note">
                {plural(parts.length, "part")}
                {ordered > 0 && `, ${ordered} ordered`}
              </Text>
              <Box component="span" flex={1} />
              {parts.length > 0 && (
                <LinkButton small look="quiet" href={hrefs.job(row.id, "basket")}>
                  Open basket
                </LinkButton>
              )}
              <Button small icon={IconPlus} keys="a" onClick={() => setAdding(true)}>
                Add parts
              </Button>
            </Toolbar>
            {adding && <AddParts jobId={row.id} credential={credential} onClose={() => setAdding(false)} />}
            {parts.length > 0 ? (
              <>
                <div className="scroll">
                  <Box miw={860}>
                    <Table
                      caption="Parts of this job, in the order they were inserted"
                      rows={parts}
                      rowKey={({ id }) => id}
                      columns={columns}
                    />
                  </Box>
                </div>
                <Stack px="lg" py="sm">
                  <Note>
                    The API accepts a quantity with a new part but doesn’t return it. The basket shows it for parts with
                    an offer. <Origin of="contract" />
                  </Note>
                  <Note>
                    ghca_id comes from the sandbox’s catalogue, matched by description. Unknown parts get null.{" "}
                    <Origin of="assumption" id="D41" /> A part is ordered while it has an order that isn’t cancelled.{" "}
                    <Origin of="assumption" id="D42" switchable />
                  </Note>
                </Stack>
              </>
            ) : (
              !adding && (
                <EmptyState
                  icon={<IconTool />}
                  title="No parts yet"
                  description="Add parts to get offers in the basket. Suppliers match parts by description."
                />
              )
            )}
          </div>
        );
      }}
    </Read>
  );
};

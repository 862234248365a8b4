import { Box, EmptyState, Stack, Text } from "@mantine/core";
import { IconPlus, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Toolbar } from "../../../components/section.tsx";
import { type Column, ShortTable } from "../../../components/short-table.tsx";
import { State } from "../../../components/state.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { late } from "../../../lib/late.ts";
import { useJobPageParams } from "../address.ts";
import { partsQuery } from "../queries.ts";

// Loaded on demand.
const AddParts = late(async () => (await import("../late.ts")).AddParts).Part;

/** A column of texts; says which are null or empty. */
const textColumn = (
  head: "description" | "ghca_id" | "note" | "external_id",
  width?: Column<Part>["width"],
): Column<Part> => ({
  head,
  ...(width && { width }),
  title: (part) => part[head] ?? undefined,
  cell: ({ [head]: value }) =>
    value === null ? (
      <Text variant="mono" c="dimmed">
        null
      </Text>
    ) : (
      value || <Text c="dimmed">empty</Text>
    ),
});

const columns: readonly Column<Part>[] = [
  textColumn("description"),
  { head: "status", width: 104, cell: ({ status }) => <State of={status} /> },
  textColumn("ghca_id", 112),
  textColumn("note", "22%"),
  textColumn("external_id", 124),
  { head: "id", width: 132, cell: ({ id }) => <Id value={id} what="part ID" /> },
];

export const PartsTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(partsQuery(useWorld(), row.id, credential));
  // A link to add parts opens the form.
  const [adding, setAdding] = useState(useJobPageParams().add);
  useKeys("Job", [{ keys: ["a"], label: "Add parts", needs: "act", run: () => setAdding(true) }]);
  return (
    <Read of={query} what="the parts" rows={6}>
      {({ items: parts }) => {
        const ordered = parts.filter(({ status }) => status === "ordered").length;
        return (
          <Box className="scroll" flex={1}>
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
              <Button small needs="act" icon={IconPlus} keys="a" onClick={() => setAdding(true)}>
                Add parts
              </Button>
            </Toolbar>
            {adding && <AddParts jobId={row.id} credential={credential} onClose={() => setAdding(false)} />}
            {parts.length > 0 ? (
              <>
                <div className="scroll">
                  <ShortTable
                    label="Parts of this job, in the order they were inserted"
                    least={860}
                    columns={columns}
                    rows={parts}
                    keyOf={({ id }) => id}
                  />
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
          </Box>
        );
      }}
    </Read>
  );
};

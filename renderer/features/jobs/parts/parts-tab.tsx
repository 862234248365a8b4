import { Box, EmptyState, Stack, Table, Text } from "@mantine/core";
import { IconPlus, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/id.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Toolbar } from "../../../components/section.tsx";
import { State } from "../../../components/state.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { usePageParams } from "../address.ts";
import { partsQuery } from "../queries.ts";
import { AddParts } from "./add-parts.tsx";

const TextCell = ({ value }: { value: string | null }) =>
  value === null ? (
    <Table.Td>
      <Text variant="mono" c="dimmed">
        null
      </Text>
    </Table.Td>
  ) : (
    <Table.Td title={value}>{value || <Text c="dimmed">empty</Text>}</Table.Td>
  );

/** A job's parts, with a form to add some. */
export const PartsTab = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(partsQuery(useWorld(), row.id, credential));
  // A link to add parts opens the form.
  const [adding, setAdding] = useState(usePageParams().add);
  useKeys("Job", [{ keys: ["a"], label: "Add parts", run: () => setAdding(true) }]);
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
                  <Table aria-label="Parts of this job, in the order they were inserted" miw={860}>
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>description</Table.Th>
                        <Table.Th w={104}>status</Table.Th>
                        <Table.Th w={112}>ghca_id</Table.Th>
                        <Table.Th w="22%">note</Table.Th>
                        <Table.Th w={124}>external_id</Table.Th>
                        <Table.Th w={132}>id</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {parts.map(({ id, description, status, ghca_id, note, external_id }) => (
                        <Table.Tr key={id}>
                          <TextCell value={description} />
                          <Table.Td>
                            <State of={status} />
                          </Table.Td>
                          <TextCell value={ghca_id} />
                          <TextCell value={note} />
                          <TextCell value={external_id} />
                          <Table.Td>
                            <Id value={id} what="part ID" />
                          </Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
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

import { EmptyState, Table, Text } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Money } from "../../../components/money.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useHasKey } from "../../../domain/credential/keys.ts";
import { procurementsOfJobQuery } from "../../../domain/procurement/queries.ts";
import { nameOf } from "../../../domain/procurement/words.ts";
import { addPartsHref } from "../address.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";

/** What leads on from an order that waits for its supplier. */
const Next = ({ of }: { of: ProcurementRow }) => {
  const hasKey = useHasKey()(of);
  if (of.status !== "order_requested") return null;
  if (hasKey) return <TextLink href={hrefs.procurement(of.id)}>Confirm</TextLink>;
  return (
    <Text c="dimmed" title="Only the supplier can confirm, and you have no key for this one">
      no key here
    </Text>
  );
};

/** The orders of a job as the sandbox itself knows them: without the repairer's key the contract answers nothing. */
export const ProcurementsTab = ({ job: { row, credential } }: { job: JobInSight }) => {
  const query = useQuery(procurementsOfJobQuery(useWorld(), row.id));
  const name = useRepairerName(row);
  const none = credential ? (
    <EmptyState
      icon={<IconArrowsExchange />}
      title="No orders yet"
      description={
        row.parts === 0
          ? "Add parts to get offers from suppliers. Then choose offers in the basket and place orders."
          : "Choose offers in the basket and place orders. Each supplier gets one order."
      }
    >
      {row.parts === 0 ? (
        <LinkButton small href={addPartsHref(row.id)}>
          Add parts
        </LinkButton>
      ) : (
        <LinkButton small href={hrefs.job(row.id, "basket")}>
          Open basket
        </LinkButton>
      )}
    </EmptyState>
  ) : (
    <EmptyState icon={<IconArrowsExchange />} title="No orders">
      <EmptyState.Description>{name} has not placed an order for this job.</EmptyState.Description>
    </EmptyState>
  );
  return (
    <div className={`scroll ${jobs.panel}`}>
      <Read of={query} what="the orders">
        {(orders) =>
          orders.length === 0 ? (
            none
          ) : (
            <>
              <div className="scroll">
                <Table aria-label="Orders of this job" miw={700}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={118}>Reference</Table.Th>
                      <Table.Th w={138}>Status</Table.Th>
                      <Table.Th>Supplier</Table.Th>
                      <Table.Th w={54} ta="right">
                        Items
                      </Table.Th>
                      <Table.Th w={104} ta="right">
                        Trade price
                      </Table.Th>
                      <Table.Th w={96}>Created</Table.Th>
                      <Table.Th w={108}>Next</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {orders.map((order) => (
                      <Table.Tr key={order.id}>
                        <Table.Td>
                          <TextLink href={hrefs.procurement(order.id)}>{nameOf(order)}</TextLink>
                        </Table.Td>
                        <Table.Td>
                          <State of={order.status} />
                        </Table.Td>
                        <Table.Td title={order.supplier.name} className="supplier">
                          <SideGlyph side="supplier" /> {order.supplier.name}
                        </Table.Td>
                        <Table.Td ta="right">{order.items}</Table.Td>
                        <Table.Td ta="right">
                          <Money amount={order.total} currency={order.currency_code} />
                        </Table.Td>
                        <Table.Td>
                          <Time at={order.created_at} />
                        </Table.Td>
                        <Table.Td>
                          <Next of={order} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
              <div className={jobs.pad}>
                <Note>
                  Newest first. <Origin of="assumption" id="D54" /> The trade price is the sum of the items, without
                  shipping.
                </Note>
              </div>
            </>
          )
        }
      </Read>
    </div>
  );
};

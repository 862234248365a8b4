import { Box, EmptyState, Text } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { type Column, ShortTable } from "../../../components/short-table.tsx";
import { useHasKey } from "../../../domain/credential/keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { orderFields } from "../../../domain/procurement/order-fields.tsx";
import { jobProcurementsQuery } from "../../../domain/procurement/queries.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { addPartsHref } from "../address.ts";
import jobs from "../jobs.module.css";
import { type OpenedJob, useRepairerName } from "../open-job.ts";

/** The next action for an order that waits for its supplier. */
const Next = ({ of }: { of: ProcurementRow }) => {
  const hasKey = useHasKey()(of);
  if (of.status !== "order_requested") return null;
  if (hasKey) return <TextLink href={hrefs.confirmation(of.id)}>Confirm</TextLink>;
  return (
    <Text c="dimmed" title="Only the supplier can confirm, and you have no key for this one">
      no key here
    </Text>
  );
};

const column = (name: keyof typeof orderFields, more: Partial<Column<ProcurementRow>>): Column<ProcurementRow> => ({
  head: orderFields[name].words,
  cell: orderFields[name].shown,
  ...more,
});
const columns: readonly Column<ProcurementRow>[] = [
  column("reference", { width: 118 }),
  column("status", { width: 138 }),
  column("supplier", {}),
  column("items", { width: 72, right: true }),
  column("total", { width: 104, right: true }),
  column("placed", { width: 96 }),
  { head: "Next", width: 108, cell: (order) => <Next of={order} /> },
];

/** A job's orders from the control plane, because the contract needs the buyer's key. */
export const ProcurementsTab = ({ job: { row, credential } }: { job: OpenedJob }) => {
  const query = useQuery(jobProcurementsQuery(useWorld(), row.id));
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
    <Box className="scroll" flex={1}>
      <Read of={query} what="the orders">
        {(orders) =>
          orders.length === 0 ? (
            none
          ) : (
            <>
              <div className="scroll">
                <ShortTable
                  label="Orders of this job"
                  className={jobs.orders}
                  columns={columns}
                  rows={orders}
                  keyOf={({ id }) => id}
                />
              </div>
              <Box p="12px 16px">
                <Note>
                  Newest first. <Origin of="assumption" id="D54" /> The trade price is the sum of the items, without
                  shipping.
                </Note>
              </Box>
            </>
          )
        }
      </Read>
    </Box>
  );
};

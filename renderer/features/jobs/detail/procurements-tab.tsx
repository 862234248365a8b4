import { Box, EmptyState, Text } from "@mantine/core";
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
import { type Column, Table } from "../../../components/table.tsx";
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

const columns: readonly Column<ProcurementRow>[] = [
  {
    key: "reference",
    head: "Reference",
    width: "118px",
    cell: (order) => <TextLink href={hrefs.procurement(order.id)}>{nameOf(order)}</TextLink>,
  },
  { key: "status", head: "Status", width: "138px", cell: ({ status }) => <State of={status} /> },
  {
    key: "supplier",
    head: "Supplier",
    cell: ({ supplier: { name } }) => (
      <span className="supplier" title={name}>
        <SideGlyph side="supplier" /> {name}
      </span>
    ),
  },
  { key: "items", head: "Items", width: "54px", right: true, cell: ({ items }) => items },
  {
    key: "total",
    head: "Trade price",
    width: "104px",
    right: true,
    cell: ({ total, currency_code }) => <Money amount={total} currency={currency_code} />,
  },
  { key: "created", head: "Created", width: "96px", cell: ({ created_at }) => <Time at={created_at} /> },
  { key: "next", head: "Next", width: "108px", cell: (order) => <Next of={order} /> },
];

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
                <Box miw={700}>
                  <Table caption="Orders of this job" rows={orders} rowKey={({ id }) => id} columns={columns} />
                </Box>
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

import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { JobRow, ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { NothingYet } from "../../../components/empty.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Money } from "../../../components/money.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { useNarrow } from "../../../components/use-narrow.ts";
import { useHasKey } from "../../../domain/credential/keys.ts";
import { procurementsOfJobQuery } from "../../../domain/procurement/queries.ts";
import { addPartsHref } from "../address.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";
import { orderedQuery } from "../queries.ts";

const itemsOf = ({ items }: ProcurementRow) => items;
const createdOf = ({ created_at }: ProcurementRow) => <Time at={created_at} />;

/** What leads on from an order that waits for its supplier. */
const Next = ({ of: { id, supplier }, hasKey }: { of: ProcurementRow; hasKey: boolean }) =>
  hasKey ? (
    <TextLink href={hrefs.procurement(id)} title={`You have a key for ${supplier.name}`}>
      Confirm
    </TextLink>
  ) : (
    <span className="t3" title="Only the supplier can confirm, and you have no key for this one">
      no key here
    </span>
  );

/** The narrowest that has room for every column, and for those that say how an order stands. */
const ALL_FROM = 860;
const MOST_FROM = 640;

const Orders = ({ job: { row, credential }, orders }: { job: JobInSight; orders: readonly ProcurementRow[] }) => {
  const box = useRef<HTMLDivElement>(null);
  const [hasAll, hasMost] = [!useNarrow(box, ALL_FROM), !useNarrow(box, MOST_FROM)];
  const hasKey = useHasKey();
  // The contract alone tells when something is delivered.
  const own = useQuery(orderedQuery(useWorld(), row.id, credential)).data?.items;
  const dueOf = (order: ProcurementRow) => {
    const at = own?.find(({ id }) => id === order.id)?.deliver_before;
    if (at) return <Time at={at} as="day" />;
    if (at === null) return <span className="t3">not set</span>;
    return credential === null && <span className="t3">unknown</span>;
  };
  const isRequested = ({ status }: ProcurementRow) => status === "order_requested";
  // Nothing is next where nothing waits for its supplier.
  const hasNext = orders.some(isRequested);
  const nextOf = (order: ProcurementRow) => isRequested(order) && <Next of={order} hasKey={hasKey(order)} />;
  return (
    <div ref={box}>
      <Table
        caption="Orders of this job"
        rows={orders}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "reference",
            head: "Reference",
            width: "118px",
            cell: ({ id, reference }) => (
              <TextLink href={hrefs.procurement(id)}>{reference ?? "no reference"}</TextLink>
            ),
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
          ...(hasAll ? [{ key: "items", head: "Items", width: "54px", right: true, cell: itemsOf }] : []),
          {
            key: "total",
            head: "Trade price",
            width: "104px",
            right: true,
            cell: ({ total, currency_code }) => <Money amount={total} currency={currency_code} />,
          },
          ...(hasMost || !hasNext ? [{ key: "due", head: "Deliver before", width: "104px", cell: dueOf }] : []),
          ...(hasAll ? [{ key: "created", head: "Created", width: "96px", cell: createdOf }] : []),
          ...(hasNext ? [{ key: "next", head: "Next", width: "86px", cell: nextOf }] : []),
        ]}
      />
    </div>
  );
};

const NoneYet = ({ row }: { row: JobRow }) => (
  <NothingYet
    icon={IconArrowsExchange}
    title="No orders yet"
    link={row.parts === 0 ? [addPartsHref(row.id), "Add parts"] : [hrefs.job(row.id, "basket"), "Open basket"]}
  >
    {row.parts === 0
      ? "Add parts to get offers from suppliers. Then choose offers in the basket and place orders."
      : "Choose offers in the basket and place orders. Each supplier gets one order."}
  </NothingYet>
);

/** The orders of a job as the sandbox itself knows them: without the repairer's key the contract answers nothing. */
export const ProcurementsTab = ({ job }: { job: JobInSight }) => {
  const { row, credential } = job;
  const query = useQuery(procurementsOfJobQuery(useWorld(), row.id));
  const name = useRepairerName(row);
  const none = credential ? (
    <NoneYet row={row} />
  ) : (
    <NothingYet icon={IconArrowsExchange} title="No orders">
      {name} has not placed an order for this job.
    </NothingYet>
  );
  return (
    <div className={`scroll ${jobs.panel}`}>
      <Read of={query} what="the orders">
        {(orders) =>
          orders.length === 0 ? (
            none
          ) : (
            <>
              <Orders job={job} orders={orders} />
              <div className={`${jobs.pad} ${jobs.remarks}`}>
                {credential ? (
                  <Note>
                    Newest first. <Origin of="assumption" id="D54" /> The trade price is the sum of the items, without
                    shipping.
                  </Note>
                ) : (
                  <Note>
                    These orders come from the sandbox’s own data, because you have no key for {name}. Delivery dates
                    aren’t included.
                  </Note>
                )}
              </div>
            </>
          )
        }
      </Read>
    </div>
  );
};

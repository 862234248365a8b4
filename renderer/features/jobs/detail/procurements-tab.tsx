import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { type KeyedCredential, useActAs } from "../../../app/acting.ts";
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
import { useConfirmable } from "../../../domain/credential/keys.ts";
import { procurementsOfJobQuery } from "../../../domain/procurement/queries.ts";
import { amountText, parseAmount, sumOf, times } from "../../../lib/amounts.ts";
import { addPartsHref } from "../address.ts";
import { type JobInSight, useRepairerName } from "../job-in-sight.ts";
import jobs from "../jobs.module.css";
import { orderedQuery } from "../queries.ts";

/** One line of the table, from either source. */
interface ProcurementLine {
  readonly id: string;
  readonly reference: string | null;
  readonly status: BuyerProcurement["status"];
  readonly supplier: string;
  /** Whether the sandbox holds the supplier's key; null when that does not matter any more. */
  readonly confirmable: boolean | null;
  readonly items: number;
  readonly total: string | null;
  readonly currency: string | null;
  /** Undefined where it is not known, null where the supplier has not set it. */
  readonly deliverBefore: string | null | undefined;
  readonly createdAt: string;
}

/** The sum of the stated trade prices times quantities; null when none is stated. */
const totalOf = ({ offered_items }: BuyerProcurement): string | null => {
  const amounts = offered_items.flatMap(({ supplied_offer: { trade_price, quantity } }) => {
    const price = trade_price === null ? null : parseAmount(trade_price);
    return price ? [times(price, quantity)] : [];
  });
  return amounts.length === 0 ? null : amountText(sumOf(amounts), 0);
};

/** A procurement as its buyer sees it, as a line. */
const lineOf = (one: BuyerProcurement, confirmable: ReadonlySet<string> | null): ProcurementLine => ({
  id: one.id,
  reference: one.reference,
  status: one.status,
  supplier: one.supplier_business.name,
  confirmable: one.status === "order_requested" ? (confirmable?.has(one.supplier_business.id) ?? null) : null,
  items: one.offered_items.length,
  total: totalOf(one),
  currency: one.currency_code,
  deliverBefore: one.deliver_before,
  createdAt: one.created_at,
});

const itemsOf = (line: ProcurementLine) => line.items;
const createdOf = (line: ProcurementLine) => <Time at={line.createdAt} />;

const dueOf = ({ deliverBefore: at }: ProcurementLine) =>
  at ? <Time at={at} as="day" /> : <span className="t3">{at === null ? "not set" : "not known"}</span>;

const nextOf = ({ id, confirmable, supplier }: ProcurementLine) => {
  if (confirmable === null) return null;
  if (confirmable)
    return (
      <TextLink href={hrefs.procurement(id)} title={`The sandbox holds a key of ${supplier}`}>
        Confirm it
      </TextLink>
    );
  return (
    <span className="t3" title="Only the supplier can confirm, and the sandbox holds no key of this one">
      no key here
    </span>
  );
};

/** The narrowest that has room for every column, and for those that say how an order stands. */
const ALL_FROM = 860;
const MOST_FROM = 640;

const ProcurementLines = ({ lines }: { lines: readonly ProcurementLine[] }) => {
  const box = useRef<HTMLDivElement>(null);
  const [hasAll, hasMost] = [!useNarrow(box, ALL_FROM), !useNarrow(box, MOST_FROM)];
  // Nothing is next where nothing waits for its supplier.
  const hasNext = lines.some(({ confirmable }) => confirmable !== null);
  return (
    <div ref={box}>
      <Table
        caption="Orders of this job"
        rows={lines}
        rowKey={(line) => line.id}
        columns={[
          {
            key: "reference",
            head: "Reference",
            width: "118px",
            cell: (line) => <TextLink href={hrefs.procurement(line.id)}>{line.reference ?? "no reference"}</TextLink>,
          },
          { key: "status", head: "Status", width: "138px", cell: (line) => <State of={line.status} /> },
          {
            key: "supplier",
            head: "Supplier",
            cell: (line) => (
              <span className="supplier" title={line.supplier}>
                <SideGlyph side="supplier" /> {line.supplier}
              </span>
            ),
          },
          ...(hasAll ? [{ key: "items", head: "Items", width: "54px", right: true, cell: itemsOf }] : []),
          {
            key: "total",
            head: "Trade price",
            width: "104px",
            right: true,
            cell: (line) => <Money amount={line.total} currency={line.currency} />,
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
    title="Nothing ordered yet"
    link={row.parts === 0 ? [addPartsHref(row.id), "Add parts"] : [hrefs.job(row.id, "basket"), "Open the basket"]}
  >
    {row.parts === 0
      ? "Suppliers offer what a job has parts for. Add parts, choose among the offers, and place."
      : "Choose offers in the basket and place them: each supplier gets one order."}
  </NothingYet>
);

const Asked = ({ row, credential }: { row: JobRow; credential: KeyedCredential }) => {
  const query = useQuery(orderedQuery(useWorld(), row.id, credential));
  const confirmable = useConfirmable();
  return (
    <Read of={query} what="the orders">
      {(data) => {
        if (data.items.length === 0) return <NoneYet row={row} />;
        return (
          <>
            <ProcurementLines lines={data.items.map((one) => lineOf(one, confirmable))} />
            <div className={`${jobs.pad} ${jobs.remarks}`}>
              <Note>
                Newest first. <Origin of="assumption" id="D54" /> The trade price is summed here; shipping is not in it.
              </Note>
            </div>
          </>
        );
      }}
    </Read>
  );
};

/** Without the repairer's key the contract answers nothing, but the sandbox itself knows what there is. */
const Known = ({ row }: { row: JobRow }) => {
  const query = useQuery(procurementsOfJobQuery(useWorld(), row.id));
  const name = useRepairerName(row);
  // The list says which suppliers had a key when it was read; one can be installed since.
  const keyed = new Set(useActAs("supplier").candidates.map(({ organization_id }) => organization_id));
  return (
    <Read of={query} what="the orders">
      {(data) => {
        if (data.length === 0)
          return (
            <NothingYet icon={IconArrowsExchange} title="Nothing ordered">
              {name} has not placed an order for this job.
            </NothingYet>
          );
        const lines = data.map(
          (one): ProcurementLine => ({
            id: one.id,
            reference: one.reference,
            status: one.status,
            supplier: one.supplier.name,
            confirmable: one.status === "order_requested" ? keyed.has(one.supplier.organization_id) : null,
            items: one.items,
            total: one.total,
            currency: one.currency_code,
            deliverBefore: undefined,
            createdAt: one.created_at,
          }),
        );
        return (
          <>
            <ProcurementLines lines={lines} />
            <div className={`${jobs.pad} ${jobs.remarks}`}>
              <Note>
                From the sandbox’s own list: {name} has no key here, so repairer.procurements.list cannot be asked.
                Delivery dates are not in that list.
              </Note>
            </div>
          </>
        );
      }}
    </Read>
  );
};

export const ProcurementsTab = ({ job: { row, credential } }: { job: JobInSight }) => (
  <div className={`scroll ${jobs.panel}`}>
    {credential ? <Asked row={row} credential={credential} /> : <Known row={row} />}
  </div>
);

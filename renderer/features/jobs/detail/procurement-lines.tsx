import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { hrefs } from "../../../app/places.ts";
import { TextLink } from "../../../components/link.tsx";
import { Money } from "../../../components/money.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { amountText, parseAmount, sumOf, times } from "../../../lib/amounts.ts";

/** One line of the table, from either source. */
export interface ProcurementLine {
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
export const lineOf = (one: BuyerProcurement, confirmable: ReadonlySet<string>): ProcurementLine => ({
  id: one.id,
  reference: one.reference,
  status: one.status,
  supplier: one.supplier_business.name,
  confirmable: one.status === "order_requested" ? confirmable.has(one.supplier_business.id) : null,
  items: one.offered_items.length,
  total: totalOf(one),
  currency: one.currency_code,
  deliverBefore: one.deliver_before,
  createdAt: one.created_at,
});

const Next = ({ line }: { line: ProcurementLine }) => {
  if (line.confirmable === null) return null;
  if (line.confirmable)
    return (
      <TextLink href={hrefs.procurement(line.id)} title={`The sandbox holds a key of ${line.supplier}`}>
        Confirm it
      </TextLink>
    );
  return (
    <span className="t3" title="Only the supplier can confirm, and the sandbox holds no key of this one">
      no key here
    </span>
  );
};

const Due = ({ at }: { at: string | null | undefined }) =>
  at ? <Time at={at} as="day" /> : <span className="t3">{at === null ? "not set" : "not known"}</span>;

export const ProcurementLines = ({ lines }: { lines: readonly ProcurementLine[] }) => (
  <div className="jobs-across">
    <Table
      caption="Procurements of this job"
      rows={lines}
      rowKey={(line) => line.id}
      columns={[
        {
          key: "reference",
          head: "Reference",
          width: "132px",
          cell: (line) => <TextLink href={hrefs.procurement(line.id)}>{line.reference ?? "no reference"}</TextLink>,
        },
        { key: "status", head: "Status", width: "146px", cell: (line) => <State of={line.status} /> },
        {
          key: "supplier",
          head: "Supplier",
          cell: (line) => (
            <span className="supplier">
              <SideGlyph side="supplier" /> {line.supplier}
            </span>
          ),
        },
        { key: "items", head: "Items", width: "54px", right: true, cell: (line) => line.items },
        {
          key: "total",
          head: "Trade price",
          width: "118px",
          right: true,
          cell: (line) => <Money amount={line.total} currency={line.currency} />,
        },
        { key: "due", head: "Deliver before", width: "108px", cell: (line) => <Due at={line.deliverBefore} /> },
        { key: "created", head: "Created", width: "104px", cell: (line) => <Time at={line.createdAt} /> },
        // Nothing is next where nothing waits for its supplier.
        ...(lines.some(({ confirmable }) => confirmable !== null)
          ? [{ key: "next", head: "Next", width: "100px", cell: (line: ProcurementLine) => <Next line={line} /> }]
          : []),
      ]}
    />
  </div>
);

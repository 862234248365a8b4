import type { ReactNode } from "react";
import type { ProcurementRow, Side } from "../../../sandbox/contract/control/rows.ts";
import { shortId } from "../../../sandbox/contract/text.ts";
import { TextLink } from "../../components/link.tsx";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { type DeclaredField, factsOf } from "../../lib/declared-fields.ts";
import { plural } from "../../lib/formatting.ts";
import { Plate } from "../job/plate.tsx";
import { Money } from "./money.tsx";
import { orderName, statusLabels } from "./words.ts";

interface OrderField extends DeclaredField<[row: ProcurementRow]> {
  /** Shown in lists, tables and headings. */
  readonly shown: (row: ProcurementRow) => ReactNode;
}

const party = (side: Side, of: (row: ProcurementRow) => string) => ({
  text: of,
  shown: (row: ProcurementRow) => (
    <span className={`li-group ${sideClass(side)}`} title={of(row)}>
      <SideGlyph side={side} labelled />
      <span className="cut">{of(row)}</span>
    </span>
  ),
});
const time = (of: (row: ProcurementRow) => string) => ({
  text: of,
  shown: (row: ProcurementRow) => <Time at={of(row)} />,
});
const plain = (of: (row: ProcurementRow) => string) => ({ text: of, shown: of });

/**
 * Fields of an order that don't depend on the side. Lists, the board, a job's orders, its heading and a shared page use
 * them.
 */
export const orderFields = {
  reference: {
    words: "Reference",
    text: ({ reference }) => reference,
    shown: (row) => <TextLink href={hrefs.procurement(row.id)}>{orderName(row)}</TextLink>,
  },
  status: {
    words: "Status",
    text: ({ status }) => statusLabels[status],
    shown: ({ status }) => <State of={status} />,
  },
  buyer: { words: "Buyer", ...party("repairer", ({ buyer }) => buyer.name) },
  supplier: { words: "Supplier", ...party("supplier", ({ supplier }) => supplier.name) },
  job: {
    words: "Job",
    text: ({ job_number }) => job_number,
    shown: ({ job_id, job_number }) => <TextLink href={hrefs.job(job_id)}>{job_number ?? shortId(job_id)}</TextLink>,
  },
  plate: {
    words: "Plate",
    text: ({ plate_number }) => plate_number,
    shown: ({ plate_number }) => plate_number && <Plate plate={plate_number} />,
  },
  items: { words: "Items", ...plain(({ items }) => plural(items, "item")) },
  total: {
    words: "Trade price",
    text: ({ total, currency_code }) => total && [total, currency_code].filter(Boolean).join(" "),
    shown: ({ total, currency_code }) => <Money amount={total} currency={currency_code} />,
  },
  placed: { words: "Placed", ...time(({ created_at }) => created_at) },
  changed: { words: "Last change", ...time(({ updated_at }) => updated_at) },
  id: { words: "Order ID", ...plain(({ id }) => id) },
} as const satisfies Readonly<Record<string, OrderField>>;

/** Present fields as text, for exports. */
export const orderFacts = factsOf(Object.values<OrderField>(orderFields)).texts;

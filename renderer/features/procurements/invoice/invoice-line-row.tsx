import { IconAlertTriangle, IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { Money } from "../../../components/money.tsx";
import { amountText } from "../../../lib/amounts.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { amountOf, type InvoiceLine, type LineField, quantityProblem } from "./invoice-lines.ts";
import type { LineVerdict } from "./verdicts.ts";

const Word = ({ tone, icon, children }: { tone: "ok" | "wait" | "bad" | "off"; icon: IconOf; children: ReactNode }) => (
  <span className={`st ${tone}`}>
    <Icon of={icon} size={14} />
    {children}
  </span>
);

/** What the reconciliation says of a line, in words; of an older wording of it, that it is older. */
const VerdictWords = ({ verdict, stale }: { verdict: LineVerdict; stale: boolean }) => {
  if (stale) {
    return (
      <Word tone="off" icon={IconMinus}>
        changed since it was compared
      </Word>
    );
  }
  if (verdict.kind === "matched") {
    return (
      <Word tone="ok" icon={IconCheck}>
        matched
      </Word>
    );
  }
  if (verdict.kind === "unexpected") {
    return (
      <Word tone="bad" icon={IconX}>
        unexpected: nobody ordered it
      </Word>
    );
  }
  return (
    <>
      {verdict.price !== null && (
        <Word tone="wait" icon={IconAlertTriangle}>
          price difference: ordered at <Money amount={verdict.price} />
        </Word>
      )}
      {verdict.quantity !== null && (
        <Word tone="wait" icon={IconAlertTriangle}>
          quantity difference: {formatCount(verdict.quantity)} ordered
        </Word>
      )}
    </>
  );
};

const edges = { matched: "ok", differs: "wait", unexpected: "bad" } as const;

interface Props {
  readonly line: InvoiceLine;
  /** Its place on the invoice, from 1. */
  readonly number: number;
  readonly onChange: (line: InvoiceLine) => void;
  readonly onRemove: () => void;
  /** Null when it was not compared yet. */
  readonly verdict: { readonly of: LineVerdict; readonly stale: boolean } | null;
  /** What the service refused about a field of this line. */
  readonly refused: { readonly field: LineField; readonly message: string } | null;
}

/** One line of the invoice with its fields, and what the comparison said about it below. */
export const InvoiceLineRow = ({ line, number, onChange, onRemove, verdict, refused }: Props) => {
  const problem = (field: LineField) =>
    (field === "quantity" ? quantityProblem(line) : null) ?? (refused?.field === field ? refused.message : null);
  const cell = (field: LineField, name: string, mono = false) => (
    <TextField
      label={`${name} of line ${number}`}
      value={line[field]}
      error={problem(field)}
      mono={mono}
      {...(field === "sellable_id" ? { placeholder: "no sellable_id" } : {})}
      onChange={(value) => onChange({ ...line, [field]: value })}
    />
  );
  const amount = amountOf(line);
  const tone = verdict === null || verdict.stale ? "" : edges[verdict.of.kind];
  return (
    <>
      <tr className={`procurements-invoice-line ${tone}`} data-line={line.key}>
        <th scope="row" className="t3">
          {number}
        </th>
        <td>
          <div className="procurements-invoice-item">
            {cell("description", "Description")}
            {cell("sellable_id", "Sellable id", true)}
          </div>
        </td>
        <td>{cell("quantity", "Quantity")}</td>
        <td>{cell("unit_price", "Unit price")}</td>
        <td className="r">
          {amount === null ? <span className="t3">no amount</span> : <Money amount={amountText(amount)} />}
        </td>
        <td>
          <IconButton small icon={IconX} label={`Remove line ${number}`} onClick={onRemove} />
        </td>
      </tr>
      {verdict && (
        <tr className={`procurements-invoice-verdict ${tone}`}>
          <td />
          <td colSpan={5}>
            <span className="row row-3 wrap">
              <span className="sr">Line {number}: </span>
              <VerdictWords verdict={verdict.of} stale={verdict.stale} />
            </span>
          </td>
        </tr>
      )}
    </>
  );
};

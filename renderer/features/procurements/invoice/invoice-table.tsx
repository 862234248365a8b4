import { Box } from "@mantine/core";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Money } from "../../../components/money.tsx";
import { State } from "../../../components/state.tsx";
import { amountText, minus, parseAmount } from "../../../lib/amounts.ts";
import { formatCount } from "../../../lib/formatting.ts";
import styles from "./invoice.module.css";
import {
  amountOf,
  type InvoiceLine,
  type LineField,
  type LineVerdict,
  quantityProblem,
  type Reconciliation,
  type RefusedLine,
  totalOf,
  verdictOn,
} from "./invoice-lines.ts";
import type { Invoice } from "./use-invoice.ts";

/** What is said of a line; of an older wording of it, that it is older. */
type Verdict = LineVerdict & { readonly stale: boolean };

const Differs = ({ children }: { children: ReactNode }) => (
  <span className="st wait">
    <Icon of={IconAlertTriangle} size={14} />
    <span>{children}</span>
  </span>
);

const VerdictWords = ({ kind, price, quantity, stale }: Verdict) => {
  if (stale) return <State of="skipped">changed since the last comparison</State>;
  if (kind === "matched") return <State of="passed">matched</State>;
  if (kind === "unexpected") return <State of="refused">unexpected: not in this order</State>;
  return (
    <>
      {price !== null && (
        <Differs>
          price difference: ordered at <Money amount={String(price)} />
        </Differs>
      )}
      {quantity !== null && <Differs>quantity difference: {formatCount(Number(quantity))} ordered</Differs>}
    </>
  );
};

const edges = { matched: "ok", differs: "wait", unexpected: "bad" } as const;

interface LineProps {
  readonly line: InvoiceLine;
  /** Its place on the invoice, from 1. */
  readonly number: number;
  readonly onChange: (line: InvoiceLine) => void;
  readonly onRemove: () => void;
  /** Null when it was not compared yet. */
  readonly verdict: Verdict | null;
  /** What the service refused about a field of this line. */
  readonly refused: RefusedLine | null;
}

/** One line of the invoice with its fields, and what the comparison said about it below. */
const InvoiceLineRow = ({ line, number, onChange, onRemove, verdict, refused }: LineProps) => {
  const problem = (field: LineField) =>
    (field === "quantity" ? quantityProblem(line) : null) ?? (refused?.field === field ? refused.message : null);
  const cell = (field: LineField, name: string, mono = false) => (
    <TextField
      // It is named by its column and its line; the words are there for who cannot see either.
      label={<span className="sr">{`${name} of line ${number}`}</span>}
      value={line[field]}
      error={problem(field)}
      mono={mono}
      {...(field === "sellable_id" ? { placeholder: "no sellable_id" } : {})}
      onChange={(value) => onChange({ ...line, [field]: value })}
    />
  );
  const amount = amountOf(line);
  const tone = verdict === null || verdict.stale ? "" : edges[verdict.kind];
  return (
    <>
      <tr className={`${styles.line} ${tone}`} data-line={line.key}>
        <th scope="row" className="t3">
          {number}
        </th>
        <td title={[line.description, line.sellable_id].filter(Boolean).join(", ")}>
          <div className={styles.item}>
            {cell("description", "Description")}
            {cell("sellable_id", "Sellable ID", true)}
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
        <tr className={`${styles.verdict} ${tone}`}>
          <td />
          <td colSpan={5}>
            <span className="row row-3 wrap">
              <span className="sr">Line {number}: </span>
              <VerdictWords {...verdict} />
            </span>
          </td>
        </tr>
      )}
    </>
  );
};

/** What the last comparison said of a line, if it was among those that were sent. */
const verdictIn = ({ answer }: Invoice, line: InvoiceLine): Verdict | null => {
  const at = answer?.sent.findIndex(({ key }) => key === line.key) ?? -1;
  if (!answer || at < 0) return null;
  return { ...verdictOn(answer.result, at), stale: JSON.stringify(answer.sent[at]) !== JSON.stringify(line) };
};

const MissingRow = ({ item, onAdd }: { item: Reconciliation["missing"][number]; onAdd: (() => void) | null }) => (
  <tr className={styles.missing}>
    <td />
    <td colSpan={4}>
      <Box component="span" pt={2} pr="sm" pb={2} pl={0} bg="var(--surface)">
        <State of="refused">missing</State> {item.description}, {formatCount(item.quantity)} ordered but not on the
        invoice
      </Box>
    </td>
    <td>
      {onAdd && (
        <Button small onClick={onAdd}>
          Add<span className="sr"> {item.description}</span>
        </Button>
      )}
    </td>
  </tr>
);

const Totals = ({ invoice, currency }: { invoice: Invoice; currency: string | null }) => {
  const { total, whole } = totalOf(invoice.lines);
  const ordered = invoice.answer ? parseAmount(invoice.answer.result.ordered_total) : null;
  const more = ordered && minus(total, ordered);
  const sum = (name: string, amount: string, quiet = false) => (
    <tr className={quiet ? "t2" : "w5"}>
      <td />
      <th scope="row" colSpan={3}>
        {name}
      </th>
      <td className="r">
        <Money amount={amount} currency={currency} />
      </td>
      <td />
    </tr>
  );
  return (
    <tfoot>
      {ordered && sum("Ordered", amountText(ordered), true)}
      {sum(whole ? "Invoiced" : "Invoiced (incomplete)", amountText(total))}
      {more &&
        more.units !== 0n &&
        sum(
          more.units > 0n ? "Over-invoiced" : "Under-invoiced",
          amountText({ ...more, units: more.units < 0n ? -more.units : more.units }),
          true,
        )}
    </tfoot>
  );
};

/** The invoice line by line, with what the last comparison said where it stands. */
export const InvoiceTable = ({ invoice, currency }: { invoice: Invoice; currency: string | null }) => {
  const table = useRef<HTMLTableElement>(null);
  const { ordered, lines, refused, answer } = invoice;
  const focus = (selector: string) =>
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = (line?: InvoiceLine) => focus(`[data-line="${CSS.escape(invoice.add(line))}"] input`);
  const remove = (index: number) => {
    const line = lines[index];
    if (!line) return;
    invoice.remove(line.key);
    const next = lines[index + 1] ?? lines[index - 1];
    focus(next ? `[data-line="${CSS.escape(next.key)}"] button` : "tbody > :last-child button");
  };
  const missing = (id: string) => ordered.find((line) => line.key === id && !lines.some(({ key }) => key === id));
  return (
    <table ref={table} className={styles.table}>
      <caption className="sr">Lines of the invoice</caption>
      <colgroup>
        <col style={{ width: 32 }} />
        <col />
        <col style={{ width: 60 }} />
        <col style={{ width: 80 }} />
        <col style={{ width: 84 }} />
        <col style={{ width: 48 }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">Line</span>
          </th>
          <th scope="col">description, sellable_id</th>
          <th scope="col">quantity</th>
          <th scope="col">unit_price</th>
          <th scope="col" className="r">
            amount
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <InvoiceLineRow
            key={line.key}
            line={line}
            number={index + 1}
            onChange={invoice.change}
            onRemove={() => remove(index)}
            verdict={verdictIn(invoice, line)}
            refused={refused?.line === index ? refused : null}
          />
        ))}
        {answer?.result.missing.map((item) => {
          const line = missing(item.offered_item_id);
          return <MissingRow key={item.offered_item_id} item={item} onAdd={line ? () => add(line) : null} />;
        })}
        <tr>
          <td />
          <td colSpan={5}>
            <Button small look="quiet" icon={IconPlus} onClick={() => add()}>
              Add line
            </Button>
          </td>
        </tr>
      </tbody>
      <Totals invoice={invoice} currency={currency} />
    </table>
  );
};

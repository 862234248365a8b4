import { IconAlertTriangle, IconCircleCheck, IconFileDiff, IconHandStop, IconInfoCircle } from "@tabler/icons-react";
import { useRef } from "react";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { partnerPath } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Operation } from "../../../components/operation.tsx";
import { Origin } from "../../../components/origin.tsx";
import { RequestPreview } from "../../../components/request-preview.tsx";
import { Note } from "../../../components/section.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { plural } from "../../../lib/formatting.ts";
import shared from "../procurements.module.css";
import { type SideSeen, Unseen } from "../two-sides.tsx";
import styles from "./invoice.module.css";
import { isClean, tallyOf } from "./invoice-lines.ts";
import { InvoiceTable } from "./invoice-table.tsx";
import { type Invoice, useInvoice } from "./use-invoice.ts";

/** What the comparison came to, in a line; and that the lines were changed since, when they were. */
const InvoiceResult = ({ invoice: { answer, lines } }: { invoice: Invoice }) => {
  if (!answer) return null;
  const clean = isClean(answer.result);
  const stale = JSON.stringify(lines) !== JSON.stringify(answer.sent);
  const tone = clean ? "ok" : "wait";
  return (
    <div className={`row wrap ${styles.result} ${stale ? "off" : tone}`} role="status">
      <Icon of={stale ? IconInfoCircle : clean ? IconCircleCheck : IconAlertTriangle} size={14} />
      <b className="w6">{clean ? "The invoice is what was ordered" : "The invoice differs from the order"}</b>
      <span className="t12 t2">
        {tallyOf(answer.result)}
        {stale && "; the lines were changed since"}
      </span>
    </div>
  );
};

interface Props {
  readonly row: ProcurementRow;
  readonly buyer: SideSeen;
}

const Head = () => (
  <header className={`row wrap hl ${styles.head}`}>
    <h3 className="h2">Compare an invoice with the order</h3>
    <Operation id={"repairer.invoices.reconcile"} side="repairer" />
    <span className="grow" />
    <Origin of="extension" />
  </header>
);

const Form = ({ row, buyer }: Props) => {
  const invoice = useInvoice(row, buyer);
  const { request, failure, isSending, isWritten } = invoice;
  const inTime = row.status === "order_confirmed";
  const sendable = request !== null;
  const form = useRef<HTMLDivElement>(null);
  useSendKey(form, "Order", {
    label: "Compare the invoice with the order",
    enabled: sendable,
    run: invoice.send,
  });
  return (
    <div ref={form} className={`scroll ${shared.scroll}`}>
      <Head />
      <div className={styles.notes}>
        {inTime ? (
          <Note icon={<Icon of={IconInfoCircle} size={14} />}>
            {isWritten
              ? "Written in this window; comparing it changes nothing."
              : "It says exactly what was ordered until you change it."}{" "}
            A line meets an ordered item by its sellable_id, or without one by its description; each item once.
          </Note>
        ) : (
          <Note icon={<Icon of={IconHandStop} size={14} />}>
            An invoice is compared with a confirmed order. This one is <code>{row.status}</code>, so the call is
            refused; it can be sent all the same, to see with what.
          </Note>
        )}
      </div>
      <InvoiceTable invoice={invoice} currency={row.currency_code} />
      <div className={`stack row-3 ${styles.foot}`}>
        <InvoiceResult invoice={invoice} />
        <div className="row wrap">
          <Button
            look={inTime ? "primary" : "default"}
            icon={IconFileDiff}
            {...(inTime ? { keys: "mod+enter" } : {})}
            busy={isSending}
            disabled={!sendable}
            onClick={invoice.send}
          >
            {inTime ? "Compare" : "Send it all the same"}
          </Button>
          {isWritten && (
            <Button look="quiet" onClick={invoice.reset}>
              As ordered
            </Button>
          )}
          {!sendable && <span className="t12 t2">A quantity cannot be sent as it stands.</span>}
        </div>
        {failure && <Refusal failure={failure} />}
        {request && buyer.credential && (
          <details className={styles.request}>
            <summary className="t12">
              The request: <span className="m11">{partnerPath("repairer.invoices.reconcile")}</span>,{" "}
              {plural(request.lines.length, "line")}
            </summary>
            <RequestPreview operation="repairer.invoices.reconcile" body={request} credential={buyer.credential} />
          </details>
        )}
      </div>
    </div>
  );
};

/** An invoice against the order, as the buyer’s program would have it checked. */
export const InvoiceTab = ({ row, buyer }: Props) => {
  if (buyer.view !== null) return <Form row={row} buyer={buyer} />;
  return (
    <div className={`scroll ${shared.scroll}`}>
      <Head />
      <Unseen of={buyer} />
    </div>
  );
};

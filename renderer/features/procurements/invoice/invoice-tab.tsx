import { Box, Flex, Stack } from "@mantine/core";
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
      <b className="w6">{clean ? "The invoice matches the order" : "The invoice differs from the order"}</b>
      <span className="t12 t2">
        {tallyOf(answer.result)}
        {stale && " (before your latest changes)"}
      </span>
    </div>
  );
};

interface Props {
  readonly row: ProcurementRow;
  readonly buyer: SideSeen;
}

const Head = () => (
  <Flex className="hl" component="header" columnGap="md" rowGap={2} align="center" wrap="wrap" mih={40} py="xs" px="lg">
    <h3 className="h2">Compare an invoice with the order</h3>
    <Operation id={"repairer.invoices.reconcile"} side="repairer" />
    <span className="grow" />
    <Origin of="extension" />
  </Flex>
);

const Form = ({ row, buyer }: Props) => {
  const invoice = useInvoice(row, buyer);
  const { request, failure, isSending, isWritten } = invoice;
  const inTime = row.status === "order_confirmed";
  const sendable = request !== null;
  const form = useRef<HTMLDivElement>(null);
  useSendKey(form, "Order", {
    label: "Compare invoice with order",
    enabled: sendable,
    run: invoice.send,
  });
  return (
    <div ref={form} className={`scroll ${shared.scroll}`}>
      <Head />
      <Box pt={0} px="lg" pb="sm">
        {inTime ? (
          <Note icon={<Icon of={IconInfoCircle} size={14} />}>
            {isWritten
              ? "This is your draft. Comparing it changes nothing."
              : "It matches the order until you change it."}{" "}
            Lines match ordered items by sellable_id, or by description if it is missing. Each item matches once.
          </Note>
        ) : (
          <Note icon={<Icon of={IconHandStop} size={14} />}>
            This call will be refused, because the order is <code>{row.status}</code>. Only a confirmed order can be
            compared. Send it anyway to see the error.
          </Note>
        )}
      </Box>
      <InvoiceTable invoice={invoice} currency={row.currency_code} />
      <Stack gap="sm" pt="md" px="lg" pb={20}>
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
            {inTime ? "Compare" : "Send anyway"}
          </Button>
          {isWritten && (
            <Button look="quiet" onClick={invoice.reset}>
              Reset to the order
            </Button>
          )}
          {!sendable && <span className="t12 t2">Fix the invalid quantity first.</span>}
        </div>
        {failure && <Refusal failure={failure} />}
        {request && buyer.credential && (
          <details className={styles.request}>
            <summary className="t12">
              Request: <span className="m11">{partnerPath("repairer.invoices.reconcile")}</span>,{" "}
              {plural(request.lines.length, "line")}
            </summary>
            <RequestPreview operation="repairer.invoices.reconcile" body={request} credential={buyer.credential} />
          </details>
        )}
      </Stack>
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

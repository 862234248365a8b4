import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { ListRow } from "../../../components/list-row.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { markOfReceipt, outcomeWords, receiptLine, receiptSentence, sideOfEvent } from "./receipt-words.ts";

export const keyOfReceipt = (receipt: Receipt): string => receipt.id;

/** A notification on its line: what it was, why it was refused or which message, and what was made of it. */
export const ReceiptRow = ({ receipt }: { receipt: Receipt }) => {
  const side = sideOfEvent(receipt.event_type);
  return (
    <ListRow
      title={
        <>
          <SideGlyph side={side} labelled={side !== null} />
          <span className="op el">{receipt.event_type ?? "no event_type"}</span>
        </>
      }
      aside={<Time at={receipt.at} as="clock" on="real" />}
      detail={
        <span className="webhooks-about m11" title={receiptSentence(receipt)}>
          {receiptLine(receipt)}
        </span>
      }
      state={
        <>
          <span className="t3">{receipt.status ?? "no answer"}</span>
          <State of={markOfReceipt(receipt)}>{outcomeWords[receipt.outcome]}</State>
        </>
      }
    />
  );
};

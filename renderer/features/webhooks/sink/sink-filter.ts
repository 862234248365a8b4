import type { Receipt } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { bytesFromBase64, textFromBytes } from "../../../lib/bytes.ts";
import type { SinkFilter } from "../addresses.ts";

type SinkOutcome = SinkFilter["outcome"];

/** Whether an entry holds the text in its body, its reason or its kind, in either case. */
const holds = (receipt: Receipt, text: string): boolean =>
  [receipt.event_type, receipt.reason, receipt.message_id, receipt.integration_id].some((field) =>
    field?.toLowerCase().includes(text),
  ) || textFromBytes(bytesFromBase64(receipt.body_base64)).toLowerCase().includes(text);

export const filterSink = (receipts: readonly Receipt[], { outcome, search }: SinkFilter): Receipt[] => {
  const text = search.trim().toLowerCase();
  return receipts.filter(
    (receipt) => (outcome === "all" || receipt.outcome === outcome) && (text === "" || holds(receipt, text)),
  );
};

export const countsOf = (receipts: readonly Receipt[]): Record<SinkOutcome, number> => {
  const of = (outcome: SinkOutcome) => receipts.filter((receipt) => receipt.outcome === outcome).length;
  return { all: receipts.length, accepted: of("accepted"), repeated: of("repeated"), refused: of("refused") };
};

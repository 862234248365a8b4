import type { Attempt, Delivery, ProcurementRow } from "../../../sandbox/contract/control/rows.ts";
import { bytesFromBase64, textFromBytes } from "../../lib/bytes.ts";
import { formatMs } from "../../lib/formatting.ts";
import { laidOut } from "../../lib/json-text.ts";
import { deliveryFacts } from "../delivery/fields.tsx";
import { attemptVerdict } from "../delivery/verdict.ts";
import { orderFacts } from "../procurement/order-fields.tsx";
import { pageHtml } from "./page-html.ts";
import { pageMarkdown } from "./page-markdown.ts";
import { withoutSecrets } from "./secrets.ts";
import { type Block, callBlocks, shortened, type TicketAbout, type TicketCall, versionBlocks } from "./ticket.ts";

const facts = (...rows: ReadonlyArray<readonly [name: string, value: string | null]>): Block => ({
  kind: "facts",
  rows: rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
});
const code = (label: string, text: string): Block => ({ kind: "code", label, text: shortened(laidOut(text)) });
const blockText = (base64: string): string => textFromBytes(bytesFromBase64(base64));

const attemptBlocks = (attempt: Attempt): Block[] => {
  const { number, started_at, duration_ms, response_status, error, verification } = attempt;
  const headers = attempt.request_headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  return [
    { kind: "heading", text: `Attempt ${number}: ${response_status ?? "no response"}` },
    facts(["Sent", `${started_at}, took ${formatMs(duration_ms)}`], ["Error", error]),
    { kind: "items", items: verification.map(({ step, verdict, detail }) => `${step}: ${verdict} (${detail})`) },
    { kind: "code", label: "Request headers", text: headers },
    code("Request body", blockText(attempt.request_body_base64)),
    code("Response body", blockText(attempt.response_body_base64) || "empty"),
  ];
};

/** A delivery as on its screen: state, cause and attempts. */
export const deliveryBlocks = (delivery: Delivery, world: string): Block[] => {
  const { attempts } = delivery;
  const last = attempts.at(-1);
  const verdict = last && attemptVerdict(last);
  return [
    ...(verdict
      ? [
          { kind: "heading" as const, text: "Why" },
          facts(["Cause", verdict.cause], ["Whose side", verdict.whose], ["What to do", verdict.remedy]),
        ]
      : []),
    { kind: "facts", rows: [["World", world], ...deliveryFacts(delivery)] },
    ...attempts.flatMap(attemptBlocks),
  ];
};

/** The responses for each side; null when the sandbox has no key of that side. */
export interface OrderViews {
  readonly buyer: object | null;
  readonly supplier: object | null;
}

const viewBlock = (side: string, view: object | null): Block =>
  view === null
    ? { kind: "text", text: `This sandbox has no key of the ${side}, so the ${side}’s view is missing.` }
    : code(`What the ${side}’s API returns`, JSON.stringify(view));

/** An order as on its screen: state, and each side's view. */
export const orderBlocks = (row: ProcurementRow, { buyer, supplier }: OrderViews, world: string): Block[] => [
  { kind: "facts", rows: [["World", world], ...orderFacts(row)] },
  viewBlock("buyer", buyer),
  viewBlock("supplier", supplier),
];

/** Data of a shared page. */
interface Gathered {
  readonly title: string;
  readonly order: { readonly row: ProcurementRow; readonly views: OrderViews } | null;
  readonly delivery: Delivery | null;
  /** Oldest first. */
  readonly calls: readonly TicketCall[];
  readonly about: TicketAbout;
  /** Values to mask everywhere. */
  readonly secrets: readonly string[];
}

const pageBlocks = ({ order, delivery, calls, about, secrets }: Gathered): Block[] => {
  const { world } = about;
  const own = [
    ...(order ? orderBlocks(order.row, order.views, world) : []),
    ...(delivery ? deliveryBlocks(delivery, world) : []),
  ];
  return withoutSecrets(
    [...own, ...calls.flatMap((call) => callBlocks(call, world)), ...versionBlocks(about)],
    secrets,
  );
};

/** One HTML page for any reader. */
export const toPage = (gathered: Gathered): string => pageHtml(gathered.title, pageBlocks(gathered));

/** Markdown for a ticket. A call has its own title. */
export const toTicket = (gathered: Gathered): string => {
  const { title, order, delivery, secrets } = gathered;
  const named = order || delivery ? withoutSecrets([{ kind: "title", text: title }], secrets) : [];
  return pageMarkdown([...named, ...pageBlocks(gathered)]);
};

/** Opens the print dialog for a page, which can save a PDF. Resolves when it is closed. */
export const printPage = (html: string): Promise<void> =>
  new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.title = "Page to print";
    frame.ariaHidden = "true";
    // Firefox doesn't print frames with `display: none`.
    frame.style.cssText = "position: fixed; width: 0; height: 0; border: 0; visibility: hidden";
    frame.addEventListener("load", () => {
      const page = frame.contentWindow;
      page?.addEventListener("afterprint", () => {
        frame.remove();
        resolve();
      });
      page?.focus();
      page?.print();
    });
    frame.srcdoc = html;
    document.body.append(frame);
  });

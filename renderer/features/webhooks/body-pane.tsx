import { useMemo } from "react";
import type { Attempt } from "../../../sandbox/contract/control/rows.ts";
import { SIGNATURE_HEADER } from "../../../sandbox/contract/events.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { HeadersView } from "../../components/headers-view.tsx";
import { HexView } from "../../components/hex-view.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Segmented } from "../../components/tabs.tsx";
import { TextBytes } from "../../components/text-bytes.tsx";
import { bytesFromBase64, hexOf, textFromBytes } from "../../lib/bytes.ts";
import { formatBytes } from "../../lib/formatting.ts";
import { jsonOf, rangeOfField } from "./notification.ts";
import { type BodyView, useWebhooks } from "./webhooks-store.ts";

const views: ReadonlyArray<{ value: BodyView; label: string }> = [
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
  { value: "json", label: "JSON" },
  { value: "headers", label: "Headers" },
];

const hexText = (bytes: Uint8Array) => [...bytes].map(hexOf).join(" ");
const headersText = (headers: Attempt["request_headers"]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n");

/** The exact bytes of a try, four ways. */
export const BodyPane = ({ attempt }: { attempt: Attempt }) => {
  const view = useWebhooks((state) => state.view);
  const show = useWebhooks((state) => state.show);
  const bytes = useMemo(() => bytesFromBase64(attempt.request_body_base64), [attempt.request_body_base64]);
  const stamp = useMemo(() => rangeOfField(bytes, "webhook_timestamp"), [bytes]);
  const marks = stamp ? [stamp] : [];
  const label = `Body of try ${attempt.number}`;
  const copied =
    view === "hex" ? hexText(bytes) : view === "headers" ? headersText(attempt.request_headers) : textFromBytes(bytes);
  const json = jsonOf(bytes);
  return (
    <section className="webhooks-body" aria-labelledby="webhooks-body">
      <div className="webhooks-body-head">
        <h2 className="h2 nw" id="webhooks-body">
          {label}
        </h2>
        <Segmented label="Show the body as" options={views} value={view} onChange={show} />
        <span className="t12 t3 el">
          {view === "json"
            ? "parsed: not what is signed"
            : view === "headers"
              ? "as sent"
              : `${formatBytes(bytes.length)}, as sent`}
        </span>
        <span className="grow" />
        {stamp && (view === "hex" || view === "text") && (
          <span className="t12 t3 nw webhooks-stamp">
            <span className="m11">webhook_timestamp</span> at {stamp.start}
          </span>
        )}
        <CopyButton
          text={copied}
          what={view === "headers" ? "the headers" : view === "hex" ? "the bytes in hex" : "the body"}
        />
      </div>
      <div className={`webhooks-bytes view-${view}`}>
        {view === "hex" && <HexView bytes={bytes} label={label} marks={marks} />}
        {view === "text" && <TextBytes bytes={bytes} label={label} marks={marks} />}
        {view === "json" &&
          (json === undefined ? (
            <TextBytes bytes={bytes} label={label} />
          ) : (
            <JsonView value={json} label={label} marks={["/webhook_timestamp"]} copyable={false} />
          ))}
        {view === "headers" && (
          <HeadersView
            headers={attempt.request_headers}
            label={`Headers of try ${attempt.number}`}
            marks={[SIGNATURE_HEADER]}
          />
        )}
      </div>
    </section>
  );
};

import { useId, useMemo } from "react";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { SaveButton } from "../../../app/file-buttons.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HexView } from "../../../components/hex-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { type ByteRange, hexOf, jsonOf, textFromBytes } from "../../../lib/bytes.ts";
import type { FileToSave } from "../../../lib/files.ts";
import { formatBytes } from "../../../lib/formatting.ts";
import shared from "../webhooks.module.css";
import { type BodyView, useWebhooks } from "../webhooks-store.ts";
import styles from "./message.module.css";
import { rangeOfField } from "./notification.ts";

const views: ReadonlyArray<{ value: BodyView; label: string }> = [
  { value: "text", label: "Text" },
  { value: "hex", label: "Hex" },
  { value: "json", label: "JSON" },
  { value: "headers", label: "Headers" },
];

/** What is marked in the bytes, and in a few words what that is. */
export interface Marked {
  readonly range: ByteRange;
  /** The name of a field, or other words in code. */
  readonly what: string;
}

const STAMP = "webhook_timestamp";

/** Where a field lies in the bytes; null when it is not there. */
export const markedField = (bytes: Uint8Array, what: string): Marked | null => {
  const range = rangeOfField(bytes, what);
  return range && { range, what };
};

/** The same of the stamp, which every attempt carries its own of. */
export const markedStamp = (bytes: Uint8Array): Marked | null => markedField(bytes, STAMP);

interface MessageProps {
  readonly bytes: Uint8Array;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** What it is: "Body of attempt 3". */
  readonly label: string;
  /** What stands out in the bytes; the stamp when left out. */
  readonly marked?: Marked | null;
  /** How long the body was, where not all of it is kept. */
  readonly total?: number;
  /** "as sent", "as it came". */
  readonly wire?: string;
}

/** The exact bytes of a notification, four ways; which of them is remembered over all notifications. */
export const MessagePane = ({ bytes, headers, label, marked, total = 0, wire = "as sent" }: MessageProps) => {
  const heading = useId();
  const view = useWebhooks((state) => state.view);
  const mark = useMemo(() => (marked === undefined ? markedStamp(bytes) : marked), [bytes, marked]);
  const json = useMemo(() => jsonOf(bytes), [bytes]);
  const marks = mark ? [mark.range] : [];
  const isHex = view === "hex";
  const isBytes = isHex || view === "text";
  const isHeaders = view === "headers";
  const headersText = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const length = formatBytes(bytes.length);
  const file = (): FileToSave =>
    isHeaders
      ? { name: `Headers of ${label}.txt`, content: headersText, mediaType: "text/plain" }
      : { name: `${label}.${json === undefined ? "bin" : "json"}`, content: bytes };
  return (
    <section className={`col ${styles.body}`} aria-labelledby={heading}>
      <div className={`row wrap ${shared.bar}`}>
        <h2 className="h2 nw" id={heading}>
          {label}
        </h2>
        <Segmented
          label="Show the body as"
          options={views}
          value={view}
          onChange={(next) => useWebhooks.setState({ view: next })}
        />
        <span className="t12 t3 nw">
          {view === "json" && "Formatted. The signature covers the raw bytes."}
          {isHeaders && wire}
          {isBytes && (
            <>
              {total > bytes.length ? `the first ${length} of ${formatBytes(total)}` : length}, {wire}
            </>
          )}
        </span>
        <span className="grow" />
        {mark && isBytes && (
          <span className="row row-1 t12 t3 el">
            <span className="m11 el">{mark.what}</span>
            <span className="nw">at {mark.range.start}</span>
          </span>
        )}
        <span className="row row-1 nw">
          <CopyButton
            text={isHeaders ? headersText : isHex ? [...bytes].map(hexOf).join(" ") : textFromBytes(bytes)}
            what={isHeaders ? "the headers" : isHex ? "the bytes in hex" : "the body"}
          />
          <SaveButton what={isHeaders ? "the headers" : "the body, byte for byte,"} file={file} />
        </span>
      </div>
      <div className={`${styles.bytes} view-${view}`}>
        {isHeaders ? (
          <HeadersView headers={headers} label={`Headers of ${label}`} marks={[SIGNATURE_HEADER]} />
        ) : isHex ? (
          <HexView bytes={bytes} label={label} marks={marks} />
        ) : view === "json" && json !== undefined ? (
          <JsonView value={json} label={label} marks={mark?.what === STAMP ? [`/${STAMP}`] : []} copyable={false} />
        ) : (
          <TextBytes bytes={bytes} label={label} marks={marks} />
        )}
      </div>
    </section>
  );
};

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

type Headers = ReadonlyArray<readonly [string, string]>;

const hexText = (bytes: Uint8Array) => [...bytes].map(hexOf).join(" ");
const headersText = (headers: Headers) => headers.map(([name, value]) => `${name}: ${value}`).join("\n");

const headersFile = (label: string, headers: Headers): FileToSave => ({
  name: `Headers of ${label}.txt`,
  content: headersText(headers),
  mediaType: "text/plain",
});
const bodyFile = (label: string, bytes: Uint8Array): FileToSave => ({
  name: `${label}.${jsonOf(bytes) === undefined ? "bin" : "json"}`,
  content: bytes,
});

/** What is marked in the bytes, and in a few words what that is. */
export interface Marked {
  readonly range: ByteRange;
  /** The name of a field, or other words in code. */
  readonly what: string;
}

/** Where the stamp lies that every attempt carries its own of; null when there is none. */
export const markedStamp = (bytes: Uint8Array): Marked | null => {
  const range = rangeOfField(bytes, "webhook_timestamp");
  return range && { range, what: "webhook_timestamp" };
};

const Shown = ({
  view,
  bytes,
  headers,
  label,
  marked,
}: Pick<MessageProps, "bytes" | "headers" | "label"> & { view: BodyView; marked: Marked | null }) => {
  const marks = marked ? [marked.range] : [];
  const json = useMemo(() => jsonOf(bytes), [bytes]);
  if (view === "hex") return <HexView bytes={bytes} label={label} marks={marks} />;
  if (view === "headers")
    return <HeadersView headers={headers} label={`Headers of ${label}`} marks={[SIGNATURE_HEADER]} />;
  if (view === "json" && json !== undefined)
    return (
      <JsonView
        value={json}
        label={label}
        marks={marked?.what === "webhook_timestamp" ? ["/webhook_timestamp"] : []}
        copyable={false}
      />
    );
  return <TextBytes bytes={bytes} label={label} marks={marks} />;
};

const lengthWords = (bytes: Uint8Array, total: number): string =>
  total > bytes.length ? `the first ${formatBytes(bytes.length)} of ${formatBytes(total)}` : formatBytes(bytes.length);

interface MessageProps {
  readonly bytes: Uint8Array;
  readonly headers: Headers;
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
export const MessagePane = ({ bytes, headers, label, marked, total, wire = "as sent" }: MessageProps) => {
  const heading = useId();
  const view = useWebhooks((state) => state.view);
  const mark = useMemo(() => (marked === undefined ? markedStamp(bytes) : marked), [bytes, marked]);
  const copied = view === "hex" ? hexText(bytes) : view === "headers" ? headersText(headers) : textFromBytes(bytes);
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
          {view === "json" && "parsed: not what is signed"}
          {view === "headers" && wire}
          {(view === "hex" || view === "text") && (
            <>
              {lengthWords(bytes, total ?? bytes.length)}
              <span className={styles.wire}>, {wire}</span>
            </>
          )}
        </span>
        <span className="grow" />
        {mark && (view === "hex" || view === "text") && (
          <span className={`row row-1 t12 t3 ${styles.stamp}`}>
            <span className="m11 el">{mark.what}</span>
            <span className="nw">at {mark.range.start}</span>
          </span>
        )}
        <span className="row row-1 nw">
          <CopyButton
            text={copied}
            what={view === "headers" ? "the headers" : view === "hex" ? "the bytes in hex" : "the body"}
          />
          <SaveButton
            what={view === "headers" ? "the headers" : "the body, byte for byte,"}
            file={() => (view === "headers" ? headersFile(label, headers) : bodyFile(label, bytes))}
          />
        </span>
      </div>
      <div className={`${styles.bytes} view-${view}`}>
        <Shown view={view} bytes={bytes} headers={headers} label={label} marked={mark} />
      </div>
    </section>
  );
};

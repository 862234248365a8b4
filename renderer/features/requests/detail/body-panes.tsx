import { type ReactNode, useMemo } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { SaveButton } from "../../../app/file-buttons.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HexView } from "../../../components/hex-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { type Body, bodyOf, nearestThere } from "../../../domain/exchange/body.ts";
import { formatBytes } from "../../../lib/formatting.ts";
import { useRemembered } from "../../../lib/remembered.ts";
import styles from "./detail.module.css";
import type { Explanation } from "./explain-queries.ts";

const views = ["json", "text", "hex"] as const;
type View = (typeof views)[number];
const viewWords: Readonly<Record<View, string>> = { json: "JSON", text: "Text", hex: "Hex" };
const parseView = (text: string): View | null => views.find((view) => view === text) ?? null;

/** A larger JSON begins folded. */
const FOLDED_FROM = 100_000;

/** Where each field at fault is marked, and with which words. */
const faultsIn = (json: unknown, refusal: Explanation["refusal"] | undefined): ReadonlyMap<string, string> =>
  new Map(
    (refusal?.pointers ?? []).map((pointer) => {
      const there = nearestThere(json, pointer);
      return [there, there === pointer ? "refused for this" : `refused: ${pointer.slice(there.length)} is missing`];
    }),
  );

/** What is known of a body beside its bytes. */
const Notes = ({ children }: { children: ReactNode }) => <p className={`t12 t3 ${styles.notes}`}>{children}</p>;

const AsView = ({ body, view, label, refusal }: BodyProps & { view: View }) => {
  const faults = useMemo(() => faultsIn(body.json, refusal), [body.json, refusal]);
  if (view === "hex") return <HexView bytes={body.bytes} label={label} />;
  if (view === "json" && body.json !== undefined) {
    const folding = body.bytes.length > FOLDED_FROM ? { foldFrom: 2 } : {};
    return <JsonView value={body.json} label={label} faults={faults} copyable={false} {...folding} />;
  }
  return <TextBytes bytes={body.bytes} label={label} />;
};

interface BodyProps {
  readonly body: Body;
  readonly label: string;
  readonly refusal?: Explanation["refusal"] | undefined;
}

const whatIs = ({ bytes, text, json }: Body): string | null => {
  if (bytes.length === 0) return null;
  if (text === undefined) return "not text in UTF-8: binary, or another encoding";
  return json === undefined ? "not JSON" : null;
};

/** A body as JSON, text or hex; as what it is where it is less than was asked for. */
const BodyPane = ({ body, label, refusal, note, fileName }: BodyProps & { note?: ReactNode; fileName: string }) => {
  const [wanted, setWanted] = useRemembered<View>("requests.view", "json", parseView);
  const possible = views.filter(
    (view) => view === "hex" || (body.text !== undefined && (view === "text" || body.json !== undefined)),
  );
  const view = possible.includes(wanted) ? wanted : (possible[0] ?? "hex");
  if (body.bytes.length === 0)
    return (
      <div className={styles.empty}>
        <span className="t2">No body.</span> {note}
      </div>
    );
  return (
    <div className={styles.body}>
      <div className={styles.bodyHead}>
        <Segmented
          label={`Show the ${label} as`}
          options={possible.map((value) => ({ value, label: viewWords[value] }))}
          value={view}
          onChange={setWanted}
        />
        <span className="t12 t3 el">
          {[formatBytes(body.bytes.length), whatIs(body)].filter(Boolean).join(", ")} {note}
        </span>
        <span className="grow" />
        {body.text !== undefined && <CopyButton text={body.text} what={`the ${label}`} />}
        <SaveButton
          what={`the ${label}, byte for byte,`}
          file={() => ({ name: `${fileName}.${body.json === undefined ? "bin" : "json"}`, content: body.bytes })}
        />
      </div>
      <div className={styles.bytes} data-view={view}>
        <AsView body={body} view={view} label={label} refusal={refusal} />
      </div>
    </div>
  );
};

export const RequestBody = ({
  detail,
  refusal,
}: {
  detail: RequestDetail;
  refusal: Explanation["refusal"] | undefined;
}) => {
  const body = useMemo(() => bodyOf(detail.request_body_base64), [detail.request_body_base64]);
  const unread = detail.unrouted !== undefined && detail.unrouted !== "unreadable";
  return (
    <BodyPane
      body={body}
      label="request body"
      refusal={refusal}
      fileName={`request-${detail.id}`}
      note={
        <>
          {unread && "It reached no operation, so its body was not read. "}
          {detail.body_masked && "Secrets in it are masked."}
        </>
      }
    />
  );
};

export const AnswerPane = ({ detail }: { detail: RequestDetail }) => {
  const body = useMemo(() => bodyOf(detail.response_body_base64), [detail.response_body_base64]);
  if (detail.status === 0)
    return <Notes>The connection was closed without an answer: no status, no headers, no body.</Notes>;
  return (
    <>
      <div className={styles.headers}>
        <HeadersView headers={detail.response_headers} label="Answer headers" />
      </div>
      <BodyPane body={body} label="answer body" fileName={`answer-${detail.id}`} />
    </>
  );
};

/** The request line and headers, as they were sent; credentials are masked by the service. */
export const RequestHeaders = ({ detail }: { detail: RequestDetail }) => (
  <div className={styles.headers}>
    <p className="code wrapped">
      <b>{detail.method}</b> {detail.path}
    </p>
    <HeadersView headers={detail.request_headers} label="Request headers" />
  </div>
);

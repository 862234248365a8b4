import { IconChevronDown, IconChevronRight, IconHandStop } from "@tabler/icons-react";
import { type CSSProperties, memo, useMemo, useState } from "react";
import { useFinding } from "../lib/finding.ts";
import { foldBelow, type JsonLine, jsonAsText, jsonLines } from "../lib/json-lines.ts";
import { writtenJson } from "../lib/parsed-json.ts";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";

/** Longer documents are drawn on request, so that the page stays fast. */
const MAX_LINES = 600;
const tokenClass = {
  key: "k",
  string: "s",
  number: "n",
  boolean: "bo",
  null: "nu",
  punctuation: "p",
  folded: "x",
} as const;

/** Longer strings are cut: a line of a million characters would block the window. */
const MAX_TOKEN_CHARS = 4_000;
const nothingFolded: ReadonlySet<string> = new Set();
const noFaults: ReadonlyMap<string, string> = new Map();

interface JsonViewProps {
  readonly value: unknown;
  /** The content ("response"), for the copy button and screen readers. */
  readonly label: string;
  /** JSON pointers to highlight ("/status"), for example fields that a transition changed. */
  readonly marks?: readonly string[];
  /** A short error for each pointer; shown on its line. */
  readonly faults?: ReadonlyMap<string, string>;
  readonly lineNumbers?: boolean;
  /** Depth from which everything starts folded. */
  readonly foldFrom?: number;
  readonly copyable?: boolean;
}

/** JSON, highlighted and foldable. */
export const JsonView = ({
  value,
  label,
  marks = [],
  faults = noFaults,
  lineNumbers = true,
  foldFrom,
  copyable = true,
}: JsonViewProps) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(() =>
    foldFrom === undefined ? new Set() : foldBelow(value, foldFrom),
  );
  const [whole, setWhole] = useState(false);
  const isSearched = useFinding((state) => state.isOpen);
  const lines = useMemo(() => jsonLines(value, isSearched ? nothingFolded : folded), [value, folded, isSearched]);
  const marked = useMemo(() => new Set(marks), [marks]);
  const toggle = (pointer: string) => {
    const next = new Set(folded);
    if (!next.delete(pointer)) next.add(pointer);
    setFolded(next);
  };
  const shown = whole || isSearched ? lines : lines.slice(0, MAX_LINES);
  return (
    <div className="codebox">
      {copyable && (
        <span className="codebox-copy">
          <CopyButton text={jsonAsText(value)} what={label} />
        </span>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="code" aria-label={`${label}, JSON`} tabIndex={0}>
        {shown.map((line, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a pointer has two lines, and lines have no other identity
            key={index}
            line={line}
            number={lineNumbers ? index + 1 : null}
            marked={marked.has(line.pointer)}
            // An object or a list shows the error on its first line only.
            fault={faultOf(faults, lines, index)}
            onToggle={toggle}
          />
        ))}
        {lines.length > shown.length && (
          <button type="button" className="lnk ln" onClick={() => setWhole(true)}>
            Show all {lines.length} lines
          </button>
        )}
      </section>
    </div>
  );
};

const faultOf = (faults: ReadonlyMap<string, string>, lines: readonly JsonLine[], index: number): string | null => {
  const line = lines[index];
  const isEnd = line?.tokens.length !== 0 && /^[}\]]/.test(line?.tokens[0]?.text ?? "") && line?.fold === null;
  return line === undefined || isEnd ? null : (faults.get(line.pointer) ?? null);
};

const Line = memo(
  ({
    line,
    number,
    marked,
    fault,
    onToggle,
  }: {
    line: JsonLine;
    number: number | null;
    marked: boolean;
    fault: string | null;
    onToggle: (pointer: string) => void;
  }) => (
    <span className={fault === null ? "ln" : "ln at-fault"} style={{ "--depth": line.depth } as CSSProperties}>
      {number !== null && <u aria-hidden="true">{number}</u>}
      <em>
        {line.fold && (
          <button
            type="button"
            className="fold"
            aria-expanded={line.fold === "open"}
            aria-label={`${line.fold === "open" ? "Fold" : "Unfold"} ${line.pointer || "everything"}`}
            onClick={() => onToggle(line.pointer)}
          >
            <Icon of={line.fold === "open" ? IconChevronDown : IconChevronRight} size={12} />
          </button>
        )}
      </em>
      {"  ".repeat(line.depth)}
      {line.tokens.map((token, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a line never move
          key={index}
          className={tokenClass[token.kind] + (marked && !["key", "punctuation"].includes(token.kind) ? " hit" : "")}
        >
          {token.text.length <= MAX_TOKEN_CHARS
            ? token.text
            : `${token.text.slice(0, MAX_TOKEN_CHARS)}… (${token.text.length - MAX_TOKEN_CHARS} more characters)`}
        </span>
      ))}
      {fault !== null && (
        <span className="fault">
          <Icon of={IconHandStop} size={12} />
          {fault}
        </span>
      )}
    </span>
  ),
);
Line.displayName = "JsonLine";

/** A body as it was sent: formatted JSON if it parses, otherwise plain text. */
export const BodyView = ({ text, label }: { text: string; label: string }) => {
  if (text === "") return <span className="code x">no body</span>;
  const value = writtenJson(text);
  if (value === undefined) return <pre className="code wrapped">{text}</pre>;
  return <JsonView value={value} label={label} foldFrom={4} />;
};

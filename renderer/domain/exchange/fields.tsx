import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../components/http-status.tsx";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Sentence } from "../../components/sentence.tsx";
import type { Column } from "../../components/short-table.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { type DeclaredField, factsOf } from "../../lib/declared-fields.ts";
import { formatBytes, formatMs } from "../../lib/formatting.ts";
import { callOutcome } from "../trace/verdict.ts";
import { operationTitle } from "./operation-words.ts";
import { Touched } from "./touched.tsx";

/** Labels of a call's origins. */
export const originLabels = {
  partner: "your programs",
  explorer: "the explorer",
  scenario: "scenarios",
  assistant: "assistants",
  counterpart: "counterparts",
  replay: "replays",
} as const;

/** @param who the caller's name */
interface CallField extends DeclaredField<[call: RequestRow, who: string]> {
  /** Cell in a table of calls; without it, there is no column. */
  readonly cell?: (call: RequestRow) => ReactNode;
  /** Width of its column in pixels. */
  readonly width?: number;
  /** Values for comparing two calls, by API name. */
  readonly compared?: (call: RequestRow) => Readonly<Record<string, unknown>>;
}

/** A call's response: "422 unprocessable". */
const answerText = ({ status, error_code }: Pick<RequestRow, "status" | "error_code">): string =>
  status === 0 ? "no response" : [status, error_code].filter((part) => part !== null).join(" ");

/** Fields of a call. Its page, tables, the comparison, a shared page and the ticket use them. */
const fields = {
  at: {
    words: "Called",
    text: ({ at, duration_ms }) => `${at}, took ${formatMs(duration_ms)}`,
    shown: ({ at, duration_ms }) => (
      <>
        <Time at={at} as="precise" on="real" />, took {formatMs(duration_ms)}
      </>
    ),
    cell: ({ at }) => (
      <span data-variant="aside">
        <Time at={at} as="clock" on="real" />
      </span>
    ),
    width: 80,
  },
  by: {
    words: "By",
    text: ({ integration_id }, who) => (integration_id === null ? who : `${who}, integration ${integration_id}`),
    shown: ({ integration_id }, who) => (
      <>
        {who} {integration_id !== null && <Id value={integration_id} what="integration ID" />}
      </>
    ),
  },
  origin: { words: "Sent by", text: ({ origin }) => (origin === undefined ? null : originLabels[origin]) },
  size: {
    words: "Size",
    text: ({ request_bytes, response_bytes }) =>
      `${formatBytes(request_bytes)} sent, ${formatBytes(response_bytes)} received`,
  },
  about: {
    words: "About",
    text: ({ label }) => label,
    shown: false,
    cell: (row) => <Touched row={row} none={<span data-variant="dim">–</span>} />,
    width: 120,
  },
  outcome: {
    words: "Outcome",
    text: ({ outcome }) => outcome,
    cell: (row) => (
      <Text c="secondary" lineClamp={3} title={row.outcome}>
        {row.reason ? <Sentence text={row.reason} /> : callOutcome(row)}
      </Text>
    ),
  },
  answer: {
    words: "Response",
    text: answerText,
    shown: false,
    cell: ({ status }) => <HttpStatus status={status} />,
    width: 88,
    compared: ({ status, error_code }) => ({ status, error_code }),
  },
  replay: {
    words: "Replay of",
    text: ({ replays_id }) => replays_id ?? null,
    shown: ({ replays_id }) => <TextLink href={hrefs.request(replays_id ?? "")}>an earlier call</TextLink>,
  },
  id: {
    words: "Request ID",
    text: ({ id }) => id,
    shown: ({ id }) => <Id value={id} what="request ID" />,
  },
  test_values: {
    words: "Test values",
    text: ({ test_values = [] }) =>
      test_values.map(({ value, sentence }) => `${value}: ${sentence}`).join("\n") || null,
  },
  note: { words: "Note", text: ({ note }) => note ?? null },
} as const satisfies Readonly<Record<string, CallField>>;

const all: readonly CallField[] = Object.values(fields);

/** A call in a few words: operation, label and response. */
export const callHeadline = (call: RequestRow): string => {
  const { operation, method, path } = call;
  return `${operation ?? `${method} ${path}`}${operation === null ? "" : ` (${operationTitle(operation)})`}: ${answerText(call)}`;
};

/** The text and the shown value of each field. */
export const { texts: callFacts, shown: shownFacts } = factsOf(all);

/** Compared values besides headers and bodies. */
export const comparedFacts = (call: RequestRow): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...all.map(({ compared }) => compared?.(call)));

/** Columns of a table of calls: the first, the caller's own, the others. */
export const callColumns = (own: Column<RequestRow>): readonly Column<RequestRow>[] => {
  const columns: readonly Column<RequestRow>[] = all.flatMap(({ words: head, width, cell }) =>
    cell ? [{ head, cell, ...(width === undefined ? { wraps: true } : { width }) }] : [],
  );
  return columns.toSpliced(1, 0, own);
};

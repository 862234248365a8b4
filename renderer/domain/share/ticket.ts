import type { Attempt, DeliveryRow, RequestDetail } from "../../../sandbox/contract/control/rows.ts";
import { drills, rejectsValidToo, verdictLabel } from "../../../sandbox/contract/drills.ts";
import { receiverAddress } from "../../../sandbox/contract/text.ts";
import { differences } from "../../lib/diff.ts";
import { formatMs, formatSpan, plural } from "../../lib/formatting.ts";
import { laidOut } from "../../lib/json-text.ts";
import { attemptVerdict } from "../delivery/verdict.ts";
import { correctedText } from "../exchange/corrected-text.ts";
import type { Explanation, Refusal } from "../exchange/explanation.ts";
import { callFacts, callHeadline } from "../exchange/fields.tsx";
import { changeTitle, noEventReason, undeliveredReason } from "../trace/change-words.ts";
import type { Trace } from "../trace/queries.ts";
import { choiceTexts, editText } from "./edit-words.ts";

export interface TicketCall {
  readonly request: RequestDetail;
  /** The caller's name. */
  readonly who: string;
  readonly explanation: Explanation | null;
  readonly trace: Trace | null;
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
}
export interface TicketAbout {
  readonly world: string;
  /** How far the world's clock is ahead of real time; absent: not read. */
  readonly clock_offset_seconds?: number;
  readonly service: string;
  readonly contract: string;
  readonly made_at: string;
}

/** Content of a ticket before conversion to Markdown or HTML: unescaped texts. */
export type Block =
  | { readonly kind: "title" | "heading" | "text"; readonly text: string }
  | { readonly kind: "facts"; readonly rows: ReadonlyArray<readonly [name: string, value: string]> }
  | { readonly kind: "items"; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly label: string; readonly text: string };

/** Matches short inline code; other backticks are plain text. */
export const CODE = /`([\w</{][\w .:/<>{}-]*)`/;

/** Characters of a body in a ticket; longer ones are truncated for readability. */
const MAX_BODY_LENGTH = 8_000;
const MAX_CHANGES = 30;

export const shortened = (text: string): string =>
  text.length <= MAX_BODY_LENGTH
    ? text
    : `${text.slice(0, MAX_BODY_LENGTH)}\n… ${plural(text.length - MAX_BODY_LENGTH, "more character")}`;

/** HTML error pages are left out: the cause says more, and their styles alone fill a ticket. */
const HTML_PAGE = /^\s*<!doctype html/i;

const responseText = ({ response_body }: RequestDetail): string =>
  HTML_PAGE.test(response_body)
    ? `an HTML page of ${plural(response_body.length, "character")}`
    : shortened(laidOut(response_body)) || "no body";

const valueText = (value: unknown): string => shortened(JSON.stringify(value) ?? "nothing");

const ignored = ({ explanation }: TicketCall): Block[] =>
  explanation && explanation.ignored.length > 0
    ? [
        { kind: "heading", text: "Ignored fields" },
        { kind: "items", items: explanation.ignored.map(({ message }) => message) },
      ]
    : [];

const sideTexts: Readonly<Record<Refusal["whose_side"], string>> = {
  partner: "the caller’s",
  sandbox: "the sandbox’s",
  fault: "neither: an active fault or a test value caused this response",
};

/** Surprising facts about an accepted call, such as an empty basket or an ignored header. */
const accepted = ({ warning, notes = [] }: Explanation): Block[] =>
  warning === undefined && notes.length === 0
    ? []
    : [
        { kind: "heading", text: "Note" },
        { kind: "text", text: [warning, ...notes].filter((one) => one !== undefined).join(" ") },
      ];

const why = ({ request, explanation }: TicketCall): Block[] => {
  if (!explanation) return [];
  const { refusal } = explanation;
  if (!refusal) return accepted(explanation);
  const { correction, suggestions, nearest, notes = [] } = explanation;
  return [
    { kind: "heading", text: "Why" },
    {
      kind: "facts",
      rows: [
        ["Cause", refusal.sentence],
        ["Whose side", sideTexts[refusal.whose_side]],
        ["What to do", refusal.what_to_do],
        ...(refusal.earlier === undefined ? [] : [["Earlier call", refusal.earlier] as const]),
        ...(notes.length === 0 ? [] : [["Ignored", notes.join(" ")] as const]),
        ...(refusal.section === null ? [] : [["Contract", `section “${refusal.section}”`] as const]),
        ...(nearest?.addresses.length ? [["Did you mean", nearest.addresses.join(", ")] as const] : []),
      ],
    },
    ...(refusal.decisions.length === 0
      ? []
      : [
          {
            kind: "items" as const,
            items: refusal.decisions.map(({ id, meaning, policy }) =>
              [
                `Assumption ${id}: ${meaning}`,
                ...(policy ? [`This world: ${policy.name} is ${policy.value}.`] : []),
              ].join(" "),
            ),
          },
        ]),
    ...(correction
      ? [
          { kind: "heading" as const, text: "Proposed correction" },
          {
            kind: "items" as const,
            items: correction.edits.map((edit) => editText(edit, refusal.what_to_do)),
          },
          {
            kind: "code" as const,
            label: "Corrected body",
            text: shortened(correctedText(request.request_body, correction)),
          },
        ]
      : []),
    ...(suggestions.length === 0
      ? []
      : [
          { kind: "heading" as const, text: `Known values for ${suggestions[0]?.pointer}` },
          {
            kind: "items" as const,
            items: choiceTexts(explanation),
          },
        ]),
  ];
};

/** A delivery's result, attempt by attempt, with the cause if the last attempt failed. */
const deliveryLines = (delivery: DeliveryRow, attempts: readonly Attempt[]): string[] => {
  const last = attempts.at(-1);
  const verdict = last && attemptVerdict(last);
  return [
    `${delivery.status}, to ${receiverAddress(delivery.url)}, message ${delivery.message_id}`,
    ...attempts.map(attemptLine),
    ...(verdict ? [`Why: ${verdict.cause} ${verdict.whose} What to do: ${verdict.remedy}`] : []),
  ];
};

const attemptLine = ({ number, duration_ms, response_status, error, verification }: Attempt): string => {
  const failed = verification.find(({ verdict }) => verdict === "failed");
  return [
    `Attempt ${number}: ${response_status ?? "no response"} after ${formatMs(duration_ms)}`,
    ...(error === null ? [] : [error]),
    failed ? `the signature fails at ${failed.step}: ${failed.detail}` : "the signature is correct",
  ].join("; ");
};

/**
 * The latest result of each drill by receiver. A refusal proves nothing when the receiver refuses valid requests, too.
 */
const latestDrills = (all: Trace["drills"]) => {
  const latest = [...new Map(all.map((one) => [`${one.url} ${one.drill}`, one])).values()];
  return [...Map.groupBy(latest, ({ url }) => url).values()].flatMap((own) => {
    const isBlunt = rejectsValidToo(own);
    return own.map((one) => ({ ...one, proves: !isBlunt || drills[one.drill].expects.answer === "acknowledge" }));
  });
};

const followed = ({ trace, attempts }: TicketCall, world: string): Block[] => {
  if (trace === null) return [];
  const changes = trace.changes.flatMap((change) => [
    changeTitle(change),
    ...(change.change === "updated"
      ? differences(change.before, change.after)
          .slice(0, MAX_CHANGES)
          .map(({ path, before: was, after: is }) => `${path}: ${valueText(was)} → ${valueText(is)}`)
      : []),
  ]);
  const events = trace.events.flatMap((event) => {
    const deliveries = trace.deliveries.filter(({ event_id }) => event_id === event.id);
    return [
      `${event.event_type} ${event.payload.status ?? event.payload.change_action ?? ""}`.trim(),
      ...(deliveries.length === 0 ? [undeliveredReason(event, world)] : []),
      ...deliveries.flatMap((delivery) => deliveryLines(delivery, attempts.get(delivery.id) ?? [])),
    ];
  });
  const none = noEventReason(trace.changes);
  return [
    { kind: "heading", text: "Changes" },
    changes.length === 0 ? { kind: "text", text: "No changes." } : { kind: "items", items: changes },
    { kind: "heading", text: "Events and deliveries" },
    events.length === 0
      ? { kind: "text", text: `${none.sentence}${none.assumption ? ` (assumption ${none.assumption})` : ""}` }
      : { kind: "items", items: events },
    ...(trace.drills.length === 0
      ? []
      : [
          { kind: "heading" as const, text: "Drills on the receiver, made from its notifications" },
          {
            kind: "items" as const,
            items: latestDrills(trace.drills).map(
              ({ proves, ...row }) =>
                `${drills[row.drill].title}, ${proves ? verdictLabel(row) : "inconclusive"}, to ${receiverAddress(row.url)}: ${proves ? row.sentence : "It rejects valid notifications too."}`,
            ),
          },
        ]),
  ];
};

const called = (call: TicketCall, world: string): Block[] => {
  const { request, who } = call;
  const headers = request.request_headers.map(([header, value]) => `${header}: ${value}`).join("\n");
  return [
    { kind: "title", text: callHeadline(request) },
    ...why(call),
    { kind: "facts", rows: [["World", world], ...callFacts(request, who)] },
    ...ignored(call),
    {
      kind: "code",
      label: "Request (secrets masked)",
      text: `${request.method} ${request.path}\n${headers}\n\n${shortened(laidOut(request.request_body))}`.trimEnd(),
    },
    { kind: "code", label: "Response", text: responseText(request) },
  ];
};

/** One call: response and cause, request and response bodies, consequences. */
export const callBlocks = (call: TicketCall, world: string): Block[] => [
  ...called(call, world),
  ...followed(call, world),
];

/** The versions that created a page or ticket. */
export const versionBlocks = ({ service, contract, made_at, clock_offset_seconds = 0 }: TicketAbout): Block[] => [
  { kind: "heading", text: "Created with" },
  {
    kind: "facts",
    rows: [
      ["Service", service],
      ["Contract", contract],
      ["Created at", made_at],
      ...(clock_offset_seconds === 0
        ? []
        : [["World’s clock", `${formatSpan(clock_offset_seconds * 1_000)} ahead of real time`] as const]),
    ],
  },
];

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { errorCodes } from "../../../../sandbox/contract/errors.ts";
import { useCredentials } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { SideGlyph, sideWord } from "../../../components/side.tsx";
import { isSender, origins, type RequestFilter, type Sender } from "../../../domain/exchange/filter.ts";
import { operationTitle, titledOperations } from "../../../domain/exchange/operation-words.ts";
import { formatClock, plural } from "../../../lib/formatting.ts";
import { userAgentsQuery } from "../queries.ts";
import { ChipMenu } from "./chip-menu.tsx";

export interface Narrowing {
  readonly filter: RequestFilter;
  readonly narrow: (change: Partial<RequestFilter>) => void;
}

const operations = titledOperations.map((value) => ({
  value,
  name: (
    <>
      <span className="nw">{operationTitle(value)}</span> <span className="m11 t3 el">{value}</span>
    </>
  ),
}));

export const OperationChip = ({ filter: { operation }, narrow }: Narrowing) => (
  <ChipMenu
    name="Operation"
    any="All operations"
    value={operation}
    shown={operation === null ? null : operationTitle(operation)}
    groups={[{ title: "Operations", options: operations }]}
    onChange={(next) => narrow({ operation: next })}
  />
);

const classes = [
  { value: "2xx", name: "answered 2xx" },
  { value: "4xx", name: "refused 4xx" },
  { value: "5xx", name: "failed 5xx" },
  { value: "0", name: "no response" },
];

const statuses = [200, ...new Set(Object.values(errorCodes).map(({ status }) => status))]
  .toSorted((one, other) => one - other)
  .map((status) => ({ value: String(status), name: <HttpStatus status={status} /> }));
const codes = Object.keys(errorCodes).map((code) => ({
  value: `code:${code}`,
  name: <span className="m11">{code}</span>,
}));

/** The status and the error code are one question: how it was answered. */
export const AnswerChip = ({ filter: { status, code }, narrow }: Narrowing) => {
  const value = code === null ? status : `code:${code}`;
  return (
    <ChipMenu
      name="Answer"
      any="All responses"
      value={value}
      shown={code ?? (status === "0" ? "no response" : status)}
      groups={[
        { title: "Response kinds", options: classes },
        { title: "Statuses", options: statuses },
        { title: "Error codes", options: codes },
      ]}
      onChange={(next) =>
        narrow(
          next?.startsWith("code:") ? { status: null, code: next.slice("code:".length) } : { status: next, code: null },
        )
      }
    />
  );
};

const senderWords: Readonly<Record<Sender, string>> = {
  repairer: `${sideWord("repairer")}s’ keys`,
  supplier: `${sideWord("supplier")}s’ keys`,
  none: "no known key",
};

export const WhoChip = ({ filter: { who }, narrow }: Narrowing) => {
  const { data } = useCredentials();
  const keys = (data ?? []).map((credential) => ({
    value: credential.integration_id,
    name: (
      <>
        <SideGlyph side={credential.scope} labelled />
        <span className="el">{credential.organization_name}</span>
        <span className="m11 t3 nw">{credential.key_hint}</span>
      </>
    ),
  }));
  const known = data?.find(({ integration_id }) => integration_id === who);
  const shown = who === null ? null : isSender(who) ? senderWords[who] : (known?.organization_name ?? "another key");
  return (
    <ChipMenu
      name="Who"
      any="All callers"
      value={who}
      shown={shown}
      groups={[
        {
          title: "Sides",
          options: [
            { value: "repairer", name: senderWords.repairer },
            { value: "supplier", name: senderWords.supplier },
            { value: "none", name: "No known key" },
          ],
        },
        { title: "Credentials", options: keys },
      ]}
      onChange={(next) => narrow({ who: next })}
    />
  );
};

const originWords = {
  partner: "your programs",
  explorer: "the explorer",
  scenario: "scenarios",
  assistant: "assistants",
  replay: "replays",
} as const satisfies Readonly<Record<(typeof origins)[number], string>>;

/** What sent it: whose key a call has does not tell, because this window calls with the keys of partners too. */
export const OriginChip = ({ filter: { by }, narrow }: Narrowing) => (
  <ChipMenu
    name="Sent by"
    any="All sources"
    value={by}
    shown={by === null ? null : `by ${originWords[by]}`}
    groups={[{ title: "Sent by", options: origins.map((value) => ({ value, name: originWords[value] })) }]}
    onChange={(next) => narrow({ by: origins.find((value) => value === next) ?? null })}
  />
);

/** The header that says which program sent a call; only programs of the newest calls are offered. */
export const AgentChip = ({ filter: { agent }, narrow }: Narrowing) => {
  const [isOpened, setOpened] = useState(false);
  const { data } = useQuery({ ...userAgentsQuery(useWorld()), enabled: isOpened });
  const options = (data ?? []).map(({ user_agent, calls }) => ({
    value: user_agent,
    name: (
      <>
        <span className="el">{user_agent}</span> <span className="t3 nw">{plural(calls, "call")}</span>
      </>
    ),
  }));
  return (
    <ChipMenu
      name="User agent"
      any="All user agents"
      value={agent}
      shown={agent}
      groups={[{ title: "User agents of the newest 1,000 calls", options }]}
      onChange={(next) => narrow({ agent: next })}
      onOpen={() => setOpened(true)}
    />
  );
};

const spans = [
  { minutes: 5, name: "the last 5 minutes" },
  { minutes: 15, name: "the last 15 minutes" },
  { minutes: 60, name: "the last hour" },
  { minutes: 1440, name: "the last 24 hours" },
] as const;

/** An address keeps the moment, so that it shows the same calls to whoever opens it. */
export const TimeChip = ({ filter: { from, to }, narrow }: Narrowing) => {
  const chosen = from ?? to;
  const shown = useMemo(
    () =>
      [
        ...(from === null ? [] : [`since ${formatClock(from)}`]),
        ...(to === null ? [] : [`until ${formatClock(to)}`]),
      ].join(", "),
    [from, to],
  );
  return (
    <ChipMenu
      name="Time"
      any="All times"
      value={chosen}
      shown={shown}
      groups={[{ title: "Since", options: spans.map(({ minutes, name }) => ({ value: String(minutes), name })) }]}
      onChange={(next) =>
        narrow({
          from: next === null ? null : new Date(Date.now() - Number(next) * 60_000).toISOString(),
          to: null,
        })
      }
    />
  );
};

import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorCodes } from "../../../../sandbox/contract/errors.ts";
import { FilterSelect, withChosen } from "../../../components/filter-select.tsx";
import { sideWord } from "../../../components/side.tsx";
import { useDrawn } from "../../../components/use-drawn.ts";
import { credentialOptions } from "../../../domain/credential/keys.ts";
import { originLabels } from "../../../domain/exchange/fields.tsx";
import { isSender, origins, type RequestFilter, type Sender } from "../../../domain/exchange/filter.ts";
import { operationTitle, titledOperations } from "../../../domain/exchange/operation-words.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatClock } from "../../../lib/formatting.ts";
import { userAgentsQuery } from "../queries.ts";

export interface Narrowing {
  readonly filter: RequestFilter;
  readonly narrow: (change: Partial<RequestFilter>) => void;
}

const operations = titledOperations.map((value) => ({ value, label: operationTitle(value) }));

const plain = (values: Iterable<unknown>) =>
  [...values].map((value) => ({ value: String(value), label: String(value) }));
const CODE = "code:";
const CAUSE = "cause:";
const answers = [
  {
    group: "Response kinds",
    items: [
      { value: "2xx", label: "succeeded 2xx" },
      { value: "4xx", label: "refused 4xx" },
      { value: "5xx", label: "failed 5xx" },
      { value: "0", label: "no response" },
    ],
  },
  {
    group: "Statuses",
    items: plain(new Set([200, ...Object.values(errorCodes).map(({ status }) => status)].toSorted((a, b) => a - b))),
  },
  { group: "Error codes", items: Object.keys(errorCodes).map((code) => ({ value: CODE + code, label: code })) },
];

/** A cause from the address: there are more causes than a menu can list. */
const plainCause = (cause: string) => [{ value: CAUSE + cause, label: `refused: ${cause.replaceAll("_", " ")}` }];

const answerOptions = { status: null, code: null, cause: null };
const parseAnswer = (chosen: string | null): Partial<RequestFilter> => {
  if (chosen?.startsWith(CAUSE)) return { cause: chosen.slice(CAUSE.length) };
  return chosen?.startsWith(CODE) ? { code: chosen.slice(CODE.length) } : { status: chosen };
};

const senderLabels: Readonly<Record<Sender, string>> = {
  repairer: `${sideWord("repairer")}s’ keys`,
  supplier: `${sideWord("supplier")}s’ keys`,
  none: "no known key",
};

const spans = [
  { value: "5", label: "the last 5 minutes" },
  { value: "15", label: "the last 15 minutes" },
  { value: "60", label: "the last hour" },
  { value: "1440", label: "the last 24 hours" },
];

/** The program's header; suggests only those of the newest calls. */
export const AgentMenu = ({ filter: { agent }, narrow }: Narrowing) => {
  const [isOpened, setOpened] = useState(false);
  const { data = [] } = useQuery({ ...userAgentsQuery(useWorld()), enabled: isOpened });
  return (
    <FilterSelect
      name="User agent"
      any="All user agents"
      value={agent}
      options={withChosen(plain(data.map(({ user_agent }) => user_agent)), agent)}
      onChange={(next) => narrow({ agent: next })}
      onOpen={() => setOpened(true)}
    />
  );
};

const sinceLabels = ({ from, to }: RequestFilter): string =>
  [
    ...(from === null ? [] : [`since ${formatClock(from)}`]),
    ...(to === null ? [] : [`until ${formatClock(to)}`]),
  ].join();

/** Height of two rows in pixels, kept while they are not drawn. */
const HEIGHT = 52;

/** Filters with many values. An address contains the absolute time, so that it shows the same calls to everyone. */
export const FilterMenus = (narrowing: Narrowing) => {
  const { filter, narrow } = narrowing;
  const { operation, status, code, cause, who, by, from, to } = filter;
  const { data: credentials = [] } = useCredentials();
  const senders = Object.entries(senderLabels).map(([value, label]) => ({ value, label }));
  const keys = credentialOptions(credentials);
  const isListDrawn = useDrawn();
  const strange = who === null || isSender(who) ? null : who;
  return (
    <SimpleGrid cols={3} spacing={4} verticalSpacing={4} mih={HEIGHT}>
      {isListDrawn && (
        <>
          <FilterSelect
            name="Who"
            any="All callers"
            value={who}
            options={[
              { group: "Sides", items: senders },
              { group: "Credentials", items: withChosen(keys, strange, "another key") },
            ]}
            onChange={(next) => narrow({ who: next })}
          />
          <FilterSelect
            name="Sent by"
            any="All sources"
            value={by}
            options={origins.map((value) => ({ value, label: originLabels[value] }))}
            onChange={(next) => narrow({ by: origins.find((value) => value === next) ?? null })}
          />
          <AgentMenu {...narrowing} />
          <FilterSelect
            name="Operation"
            any="All operations"
            value={operation}
            options={withChosen(operations, operation)}
            onChange={(next) => narrow({ operation: next })}
          />
          <FilterSelect
            name="Response"
            any="All responses"
            value={cause === null ? (code === null ? status : CODE + code) : CAUSE + cause}
            options={cause === null ? answers : [{ group: "Causes", items: plainCause(cause) }, ...answers]}
            onChange={(next) => narrow({ ...answerOptions, ...parseAnswer(next) })}
          />
          <FilterSelect
            name="Time"
            any="All times"
            value={from ?? to}
            options={withChosen(spans, from ?? to, sinceLabels(filter))}
            onChange={(next) =>
              narrow({
                from: next === null ? null : new Date(Date.now() - Number(next) * 60_000).toISOString(),
                to: null,
              })
            }
          />
        </>
      )}
    </SimpleGrid>
  );
};

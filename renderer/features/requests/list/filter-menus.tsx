import { Select, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorCodes } from "../../../../sandbox/contract/errors.ts";
import { useCredentials } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { sideWord } from "../../../components/side.tsx";
import { useDrawn } from "../../../components/use-drawn.ts";
import { credentialOptions } from "../../../domain/credential/keys.ts";
import { originWords } from "../../../domain/exchange/fields.tsx";
import { isSender, origins, type RequestFilter, type Sender } from "../../../domain/exchange/filter.ts";
import { operationTitle, titledOperations } from "../../../domain/exchange/operation-words.ts";
import { formatClock } from "../../../lib/formatting.ts";
import { userAgentsQuery } from "../queries.ts";

export interface Narrowing {
  readonly filter: RequestFilter;
  readonly narrow: (change: Partial<RequestFilter>) => void;
}

interface Option {
  readonly value: string;
  readonly label: string;
}
interface MenuProps {
  readonly name: string;
  /** The way back to all of them. */
  readonly any: string;
  readonly value: string | null;
  readonly options: readonly Option[] | ReadonlyArray<{ readonly group: string; readonly items: readonly Option[] }>;
  readonly onChange: (value: string | null) => void;
  readonly onOpen?: () => void;
}

/** One thing the list is narrowed by, found by its words. */
const Menu = ({ name, any, options, onOpen, ...chosen }: MenuProps) => (
  <Select
    {...chosen}
    styles={chosen.value === null ? {} : { input: { background: "var(--accent-tint)" } }}
    size="xs"
    aria-label={name}
    placeholder={name}
    data={options.map((one) => ("items" in one ? { group: one.group, items: [...one.items] } : one))}
    searchable
    selectFirstOptionOnChange
    clearable
    clearButtonProps={{ "aria-label": any }}
    // Closed, six lists of what nobody asked for are not drawn.
    comboboxProps={{ width: 300, position: "bottom-start", keepMounted: false }}
    nothingFoundMessage="No matches"
    onDropdownOpen={() => onOpen?.()}
  />
);

const operations = titledOperations.map((value) => ({ value, label: operationTitle(value) }));

const plain = (values: Iterable<unknown>) =>
  [...values].map((value) => ({ value: String(value), label: String(value) }));
const CODE = "code:";
const answers = [
  {
    group: "Response kinds",
    items: [
      { value: "2xx", label: "answered 2xx" },
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

const senderWords: Readonly<Record<Sender, string>> = {
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

/** What is chosen stands among what is offered, also where it is offered no more. */
const withChosen = (options: readonly Option[], value: string | null, label = value): readonly Option[] =>
  value === null || options.some((one) => one.value === value) ? options : [{ value, label: label ?? "" }, ...options];

/** The header that says which program sent a call; only programs of the newest calls are offered. */
export const AgentMenu = ({ filter: { agent }, narrow }: Narrowing) => {
  const [isOpened, setOpened] = useState(false);
  const { data = [] } = useQuery({ ...userAgentsQuery(useWorld()), enabled: isOpened });
  return (
    <Menu
      name="User agent"
      any="All user agents"
      value={agent}
      options={withChosen(plain(data.map(({ user_agent }) => user_agent)), agent)}
      onChange={(next) => narrow({ agent: next })}
      onOpen={() => setOpened(true)}
    />
  );
};

const sinceWords = ({ from, to }: RequestFilter): string =>
  [
    ...(from === null ? [] : [`since ${formatClock(from)}`]),
    ...(to === null ? [] : [`until ${formatClock(to)}`]),
  ].join();

/** Of two rows, kept while they are not drawn. */
const HEIGHT = 52;

/** What the list is narrowed by, each one of many. An address keeps the moment: it shows the same calls to all. */
export const FilterMenus = (narrowing: Narrowing) => {
  const { filter, narrow } = narrowing;
  const { operation, status, code, who, by, from, to } = filter;
  const { data: credentials = [] } = useCredentials();
  const senders = Object.entries(senderWords).map(([value, label]) => ({ value, label }));
  const keys = credentialOptions(credentials);
  const isListDrawn = useDrawn();
  const strange = who === null || isSender(who) ? null : who;
  return (
    <SimpleGrid cols={3} spacing={4} verticalSpacing={4} mih={HEIGHT}>
      {isListDrawn && (
        <>
          <Menu
            name="Who"
            any="All callers"
            value={who}
            options={[
              { group: "Sides", items: senders },
              { group: "Credentials", items: withChosen(keys, strange, "another key") },
            ]}
            onChange={(next) => narrow({ who: next })}
          />
          <Menu
            name="Sent by"
            any="All sources"
            value={by}
            options={origins.map((value) => ({ value, label: originWords[value] }))}
            onChange={(next) => narrow({ by: origins.find((value) => value === next) ?? null })}
          />
          <AgentMenu {...narrowing} />
          <Menu
            name="Operation"
            any="All operations"
            value={operation}
            options={withChosen(operations, operation)}
            onChange={(next) => narrow({ operation: next })}
          />
          <Menu
            name="Response"
            any="All responses"
            value={code === null ? status : CODE + code}
            options={answers}
            onChange={(next) =>
              narrow(
                next?.startsWith(CODE) ? { status: null, code: next.slice(CODE.length) } : { status: next, code: null },
              )
            }
          />
          <Menu
            name="Time"
            any="All times"
            value={from ?? to}
            options={withChosen(spans, from ?? to, sinceWords(filter))}
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

import { Group, Stack } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { DiffView } from "../../../components/diff-view.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { bodyOf } from "../../../domain/exchange/body.ts";
import { useWho } from "../../../domain/exchange/exchange.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { exchangeQuery } from "../../../domain/exchange/queries.ts";
import { type Trace, traceQuery } from "../../../domain/trace/queries.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { compareHref } from "../addresses.ts";
import styles from "./compare.module.css";

type Headers = RequestDetail["request_headers"];

/** Headers as one object: lines of one name are together, as HTTP has it. */
const headersOf = (headers: Headers): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    found[key] = found[key] === undefined ? value : `${found[key]}, ${value}`;
  }
  return found;
};

/** A body as it can be compared: what is in its JSON, else its text, else its bytes. */
const contentOf = (base64: string): unknown => {
  const { json, text } = bodyOf(base64);
  return { body: json ?? text ?? `binary: ${base64}` };
};

const announced = ({ events }: Trace) => ({
  events: events.map(({ event_type, payload }) => `${event_type} ${payload.status ?? payload.change_action ?? ""}`),
});
const changed = ({ changes }: Trace) => ({
  changes: changes.map(({ entity, change, before, after }) => ({ entity, change, before, after })),
});

const Part = ({ name, children }: { name: string; children: ReactNode }) => (
  <section className={styles.part} aria-label={name}>
    <h3 className="lbl">{name}</h3>
    {children}
  </section>
);

const Head = ({ detail, word }: { detail: RequestDetail; word: string }) => {
  const who = useWho();
  return (
    <Group className="nw" gap="sm" wrap="nowrap" maw="100%" miw={0}>
      <span className="m t3" aria-hidden="true">
        {word}
      </span>
      <SideGlyph side={detail.side} labelled />
      <TextLink href={hrefs.request(detail.id)}>{callTitle(detail)}</TextLink>
      <HttpStatus status={detail.status} />
      <span className="t3 el">
        {who(detail)}, <Time at={detail.at} as="precise" on="real" />, {formatMs(detail.duration_ms)}
      </span>
    </Group>
  );
};

const Differences = ({
  one,
  other,
  traces,
}: {
  one: RequestDetail;
  other: RequestDetail;
  traces: readonly Trace[];
}) => {
  const parts = useMemo(() => {
    const [from, to] = traces;
    return [
      {
        name: "Answer",
        before: { status: one.status, error_code: one.error_code },
        after: { status: other.status, error_code: other.error_code },
      },
      { name: "Request headers", before: headersOf(one.request_headers), after: headersOf(other.request_headers) },
      { name: "Request body", before: contentOf(one.request_body_base64), after: contentOf(other.request_body_base64) },
      { name: "Answer headers", before: headersOf(one.response_headers), after: headersOf(other.response_headers) },
      {
        name: "Answer body",
        before: contentOf(one.response_body_base64),
        after: contentOf(other.response_body_base64),
      },
      ...(from && to
        ? [
            { name: "Change", before: changed(from), after: changed(to) },
            { name: "Events", before: announced(from), after: announced(to) },
          ]
        : []),
    ];
  }, [one, other, traces]);
  return parts.map(({ name, before, after }) => (
    <Part key={name} name={name}>
      <DiffView before={before} after={after} same="identical" />
    </Part>
  ));
};

const Both = ({ one, other }: { one: RequestDetail; other: RequestDetail }) => {
  const world = useWorld();
  const first = useQuery(traceQuery(world, one.trace_id)).data;
  const second = useQuery(traceQuery(world, other.trace_id)).data;
  const traces = useMemo(() => (first && second ? [first, second] : []), [first, second]);
  return (
    <>
      <Stack className="hb" gap={6} align="flex-start" py={10} px="lg">
        <Head detail={one} word="−" />
        <Head detail={other} word="+" />
        <LinkButton small href={compareHref(one.id, null)}>
          Choose another
        </LinkButton>
      </Stack>
      <Differences one={one} other={other} traces={traces} />
    </>
  );
};

/** Two calls side by side: only where they differ. */
export const CompareTab = ({ detail, other }: { detail: RequestDetail; other: string | null }) => {
  const query = useQuery({ ...exchangeQuery(useWorld(), other ?? detail.id), enabled: other !== null });
  if (other === null)
    return (
      <NothingYet icon={IconArrowsDiff} title="Select a call to compare with">
        Use the filters to find the call that succeeded.
      </NothingYet>
    );
  return (
    <Read of={query} what="the other call">
      {(second) => <Both one={detail} other={second} />}
    </Read>
  );
};

import { Box, EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { LinkButton } from "../../../components/button.tsx";
import { DiffView } from "../../../components/diff-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { decodeBody } from "../../../domain/exchange/body.ts";
import { useCallerName } from "../../../domain/exchange/exchange.tsx";
import { comparedFacts } from "../../../domain/exchange/fields.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { exchangeQuery } from "../../../domain/exchange/queries.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { writtenJson } from "../../../lib/parsed-json.ts";
import { compareHref } from "../addresses.ts";

type Headers = RequestDetail["request_headers"];

/** Headers as an object; combines lines of the same name, as HTTP does. */
const combineHeaders = (headers: Headers): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    found[key] = found[key] === undefined ? value : `${found[key]}, ${value}`;
  }
  return found;
};

/** A body for comparison: its JSON, else its text, else its bytes. */
const comparableBody = (base64: string): unknown => {
  const { text } = decodeBody(base64);
  return { body: text === undefined ? `binary: ${base64}` : (writtenJson(text) ?? text) };
};

const Head = ({ detail, word }: { detail: RequestDetail; word: string }) => {
  const who = useCallerName();
  return (
    <Group style={{ whiteSpace: "nowrap" }} gap="sm" wrap="nowrap" maw="100%" miw={0}>
      <Text variant="code" c="dimmed" aria-hidden="true">
        {word}
      </Text>
      <SideGlyph side={detail.side} labelled />
      <TextLink href={hrefs.request(detail.id)}>{callTitle(detail)}</TextLink>
      <HttpStatus status={detail.status} />
      <Text c="dimmed" truncate>
        {who(detail)}, <Time at={detail.at} as="precise" on="real" />, {formatMs(detail.duration_ms)}
      </Text>
    </Group>
  );
};

/** The compared parts of two calls by name. */
const comparedParts = (one: RequestDetail) => ({
  Response: comparedFacts(one),
  "Request headers": combineHeaders(one.request_headers),
  "Request body": comparableBody(one.request_body_base64),
  "Response body": comparableBody(one.response_body_base64),
});

const Both = ({ one, other }: { one: RequestDetail; other: RequestDetail }) => {
  const [from, to] = useMemo(() => [comparedParts(one), comparedParts(other)], [one, other]);
  return (
    <>
      <Stack className="hb" gap={6} align="flex-start" py={10} px="lg">
        <Head detail={one} word="−" />
        <Head detail={other} word="+" />
        <LinkButton small href={compareHref(one.id, null)}>
          Choose another call
        </LinkButton>
      </Stack>
      {(["Response", "Request headers", "Request body", "Response body"] as const).map((name) => (
        <Box key={name} className="hb" component="section" aria-label={name} py={10} px="lg">
          <Text component="h3" variant="label">
            {name}
          </Text>
          <DiffView before={from[name]} after={to[name]} same="identical" />
        </Box>
      ))}
    </>
  );
};

/** Two calls side by side: only their differences. */
export const CompareTab = ({ detail, other }: { detail: RequestDetail; other: string | null }) => {
  const query = useQuery({ ...exchangeQuery(useWorld(), other ?? detail.id), enabled: other !== null });
  if (other === null)
    return (
      <EmptyState
        icon={<IconArrowsDiff />}
        title="Select a call to compare with"
        description="Use the filters to find the call that succeeded."
      />
    );
  return (
    <Read of={query} what="the other call">
      {(second) => <Both one={detail} other={second} />}
    </Read>
  );
};

import { Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { callOutcome } from "../../../domain/trace/verdict.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import { compareHref } from "../addresses.ts";
import { aroundQuery } from "../queries.ts";

/** "−49 s", "+8 s", "+340 ms". */
const timeDifference = (row: RequestRow, from: RequestRow): string => {
  const ms = new Date(row.at).getTime() - new Date(from.at).getTime();
  return `${ms < 0 ? "−" : "+"}${Math.abs(ms) < 1_000 ? `${Math.abs(ms)} ms` : formatSpan(Math.abs(ms))}`;
};

const Call = ({ row, from }: { row: RequestRow; from: RequestRow }) => {
  const isThis = row.id === from.id;
  const came = callOutcome(row);
  const about = row.label === null || came.includes(row.label) ? came : `${row.label} ${came}`;
  return (
    <Box
      component="li"
      className="hl"
      py={6}
      px="lg"
      fz="sm"
      lh="16px"
      bg={isThis ? "var(--accent-tint)" : "transparent"}
      aria-current={isThis ? "true" : undefined}
    >
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" c="dimmed" miw={64} ta="right" flex="none" textWrap="nowrap">
          {isThis ? "this" : timeDifference(row, from)}
        </Text>
        <Text size="sm" truncate flex={1} fw={isThis ? 500 : 400} title={callTitle(row)}>
          {isThis ? callTitle(row) : <TextLink href={hrefs.request(row.id)}>{callTitle(row)}</TextLink>}
        </Text>
        <HttpStatus status={row.status} />
      </Group>
      <Group gap="sm" wrap="nowrap" pl={72} justify="space-between">
        <Text size="sm" truncate c="var(--text-2)" title={about}>
          <Sentence text={about} />
        </Text>
        {!isThis && row.operation === from.operation && (
          <TextLink href={compareHref(from.id, row.id)}>Compare</TextLink>
        )}
      </Group>
    </Box>
  );
};

/** The same caller's previous and next calls. */
export const Around = ({ of }: { of: RequestRow }) => {
  const query = useQuery(aroundQuery(useWorld(), of));
  return (
    <section className="hl" aria-label="Calls around it">
      <div className="sec">
        <Text component="h3" truncate className="h2">
          {of.integration_id === null ? "Calls without a known key around this one" : "Calls around this one"}
        </Text>
      </div>
      <Read of={query} what="the calls around it" rows={3}>
        {({ before, after }) => (
          <ul>
            {[...after, of, ...before].map((row) => (
              <Call key={row.id} row={row} from={of} />
            ))}
          </ul>
        )}
      </Read>
    </section>
  );
};

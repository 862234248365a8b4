import { Box, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { parseBody } from "../../domain/exchange/body.ts";
import { BodyPane } from "../../domain/exchange/body-pane.tsx";
import { traceQuery } from "../../domain/trace/queries.ts";
import { Changes, EventsAndDeliveries } from "../../domain/trace/trace-parts.tsx";
import { VerdictOn } from "../../domain/trace/verdict-note.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import type { RawResponse } from "../../lib/service-client.ts";

/** The consequences of a call; empty when it changed nothing. */
const Followed = ({ id }: { id: string }) => {
  const { data } = useQuery(traceQuery(useWorld(), id));
  if (!data || (data.changes.length === 0 && data.events.length === 0)) return null;
  return (
    <section aria-label="Changes">
      <div className="sec hl">
        <h3 className="h2">Changes</h3>
        <Text variant="aside">{plural(data.changes.length, "change")}</Text>
      </div>
      <Stack px="lg" pb="md">
        <Changes changes={data.changes} />
        <EventsAndDeliveries trace={data} />
      </Stack>
    </section>
  );
};

interface ReceivedProps {
  readonly operation: string;
  readonly response: RawResponse;
  /** Its record in this window's world; null without one. */
  readonly id: string | null;
}

/** A response's body, with its consequences or the cause of its refusal. */
export const ReceivedResponse = ({ operation, response, id }: ReceivedProps) => {
  const body = useMemo(() => parseBody(response.bytes), [response]);
  return (
    <>
      {id !== null && response.status >= 400 && (
        <Box px="lg" pb="md">
          <VerdictOn id={id} />
        </Box>
      )}
      <BodyPane body={body} label="response" fileName={`${operation}-answer`} />
      {id !== null && response.status < 400 && <Followed id={id} />}
    </>
  );
};

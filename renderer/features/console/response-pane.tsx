import { Box, Group, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Refusal } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { Note } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { parseBody } from "../../domain/exchange/body.ts";
import { BodyPane } from "../../domain/exchange/body-pane.tsx";
import { calledWorld } from "../../domain/exchange/console-call.ts";
import { type Declared, isOnRecord } from "../../domain/exchange/declarations.ts";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { traceQuery } from "../../domain/trace/queries.ts";
import { Changes, EventsAndDeliveries } from "../../domain/trace/trace-parts.tsx";
import { VerdictOn } from "../../domain/trace/verdict-note.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs, plural } from "../../lib/formatting.ts";
import type { RawResponse } from "../../lib/service-client.ts";
import { namingWorld } from "../../lib/world-address.ts";
import type { Sent } from "./sent-store.ts";

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

/** The recorded duration of a call; for an unrecorded one, the time until the response. */
const Duration = ({ id, response }: { id: string | null; response: RawResponse }) => {
  const { data } = useQuery({ ...exchangeQuery(useWorld(), id ?? ""), enabled: id !== null });
  if (id === null) return formatMs(response.durationMs);
  return data ? formatMs(data.duration_ms) : null;
};

/** The ID and world of a response's record; not every route has one. */
const findRecord = (declared: Declared, { call, response }: Sent, here: string) =>
  isOnRecord(declared) && response?.requestId ? { world: calledWorld(call, here), id: response.requestId } : null;

const ReceivedResponse = ({ declared, sent, response }: { declared: Declared; sent: Sent; response: RawResponse }) => {
  const here = useWorld();
  const body = useMemo(() => parseBody(response.bytes), [response]);
  const record = findRecord(declared, sent, here);
  const id = record?.world === here ? record.id : null;
  return (
    <>
      {id !== null && response.status >= 400 && (
        <Box px="lg" pb="md">
          <VerdictOn id={id} />
        </Box>
      )}
      <BodyPane body={body} label="response" fileName={`${declared.id}-answer`} />
      {id !== null && response.status < 400 && <Followed id={id} />}
    </>
  );
};

/** The last response and its consequences. */
export const ResponsePane = ({
  declared,
  sent,
  isEdited,
}: {
  declared: Declared;
  sent: Sent | null;
  isEdited: boolean;
}) => {
  const here = useWorld();
  const response = sent?.response ?? null;
  const record = sent && findRecord(declared, sent, here);
  return (
    <section aria-label="Response">
      <div className="sec">
        <h3 className="h2">Response</h3>
        {sent && response && (
          <>
            <HttpStatus status={response.status} />
            <Text variant="aside" truncate>
              <Duration id={record?.world === here ? record.id : null} response={response} />,{" "}
              <Time at={sent.at} as="clock" on="real" />
              {isEdited && ", edited since"}
            </Text>
          </>
        )}
        {record && (
          <Group component="span" ml="auto">
            <TextLink href={namingWorld(hrefs.request(record.id, "trace"), record.world)}>
              Trace{record.world !== here && ` in ${record.world}`}
            </TextLink>
          </Group>
        )}
      </div>
      {sent === null && (
        <Box px="lg" pb="md">
          <Note icon={<Icon of={IconSend} size={14} />}>Send a call to see its response here.</Note>
        </Box>
      )}
      {sent?.failure && <Refusal failure={sent.failure} />}
      {sent && response && <ReceivedResponse declared={declared} sent={sent} response={response} />}
    </section>
  );
};

import { Box, Group, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Refusal } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { Note } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { calledWorld } from "../../domain/exchange/console-call.ts";
import { type Declared, isOnRecord } from "../../domain/exchange/declarations.ts";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatMs } from "../../lib/formatting.ts";
import { late } from "../../lib/late.ts";
import type { RawResponse } from "../../lib/service-client.ts";
import { namingWorld } from "../../lib/world-address.ts";
import type { Sent } from "./sent-store.ts";

/** The recorded duration of a call; for an unrecorded one, the time until the response. */
const Duration = ({ id, response }: { id: string | null; response: RawResponse }) => {
  const { data } = useQuery({ ...exchangeQuery(useWorld(), id ?? ""), enabled: id !== null });
  if (id === null) return formatMs(response.durationMs);
  return data ? formatMs(data.duration_ms) : null;
};

/** The ID and world of a response's record; not every route has one. */
const findRecord = (declared: Declared, { call, response }: Sent, here: string) =>
  isOnRecord(declared) && response?.requestId ? { world: calledWorld(call, here), id: response.requestId } : null;

// Loaded once the pane is drawn, because nothing was sent yet.
const { Part: ReceivedResponse, preload } = late(
  async () => (await import("./received-response.tsx")).ReceivedResponse,
);

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
  const ownId = record?.world === here ? record.id : null;
  useEffect(() => void preload(), []);
  return (
    <section aria-label="Response">
      <div className="sec">
        <h3 className="h2">Response</h3>
        {sent && response && (
          <>
            <HttpStatus status={response.status} />
            <Text variant="aside" truncate>
              <Duration id={ownId} response={response} />, <Time at={sent.at} as="clock" on="real" />
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
      {response && <ReceivedResponse operation={declared.id} response={response} id={ownId} />}
    </section>
  );
};

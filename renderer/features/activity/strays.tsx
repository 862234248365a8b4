import { Group, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { ControlOperations } from "../../../sandbox/contract/control/all-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { HeadersView } from "../../components/headers-view.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { BodyView } from "../../components/json-view.tsx";
import { Read } from "../../components/read.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { Time } from "../../components/time.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { plural } from "../../lib/formatting.ts";
import { searchParams, textThat, useSearchParamsOf } from "../../lib/search-params.ts";
import { callControl } from "../../lib/service-client.ts";
import { homeWorld, worldAccess } from "../../lib/world-access.ts";
import styles from "./activity.module.css";

type Stray = ResponseOf<ControlOperations["activity.strays"]>["items"][number];

const REFETCH_MS = 5_000;
/** Search in the calls; null: the list is closed. */
const params = searchParams({ strays: textThat(() => true) });

/** Refused calls to worlds that don't exist, which no world records. */
const straysQuery = (search: string) =>
  queryOptions({
    queryKey: [...serviceKeys.strays, search],
    queryFn: async ({ signal }) => {
      const found = search === "" ? {} : { search };
      return (await callControl("activity.strays", { world: homeWorld(), ...found }, { signal })).items;
    },
    // World tokens may not see other callers' mistakes.
    enabled: worldAccess() === null,
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });

/** The number of such calls as a link to their list, if there are any. */
export const StraysLink = () => {
  const { change } = useSearchParamsOf(params);
  const { data = [] } = useQuery(straysQuery(""));
  if (data.length === 0) return null;
  return (
    <button type="button" className="lnk" onClick={() => change({ strays: "" })}>
      {data.length < 100 ? plural(data.length, "call") : "100 or more calls"} to worlds that don’t exist
    </button>
  );
};

/** The probable intention. */
const probableMeaning = ({ exists, nearest }: Stray): string => {
  if (exists) return "It exists by now.";
  return nearest.length === 0 ? "" : `Did you mean ${nearest.join(", ")}?`;
};

/** The call as text for a ticket; the service stores its secrets masked. */
const ticketText = (call: Stray): string => {
  const { id, at, world, operation, method, path, status, reason, request_headers, request_body } = call;
  return [
    `${operation ?? `${method} ${path}`} returned ${status} at ${at}.`,
    `World: ${world}, which didn’t exist. ${probableMeaning(call)}`.trim(),
    ...(reason === null ? [] : [`Cause: ${reason}`]),
    `Request ID: ${id}`,
    "",
    `${method} ${path}`,
    ...request_headers.map(([name, value]) => `${name}: ${value}`),
    "",
    request_body,
  ].join("\n");
};

const StrayCall = ({ of: call, isOpen }: { of: Stray; isOpen: boolean }) => {
  const { id, at, world, operation, method, path, status, reason, request_headers, request_body, response_body } = call;
  return (
    <details className={styles.stray} open={isOpen}>
      <summary className="hov">
        <Time at={at} on="real" />
        <Text fw={500}>{world}</Text>
        <Text variant="mono" truncate>
          {operation ?? `${method} ${path}`}
        </Text>
        <HttpStatus status={status} />
        <Text c="secondary" className={styles.why}>
          {probableMeaning(call)} {reason !== null && <Sentence text={reason} />}
        </Text>
      </summary>
      <Stack gap="xs" p="xs">
        <Group justify="space-between">
          <Text variant="mono" c="dimmed">
            {id}
          </Text>
          <CopyButton text={ticketText(call)} what="the call for a ticket" label="Copy for a ticket" />
        </Group>
        <HeadersView headers={request_headers} label="Request headers" />
        <BodyView text={request_body} label="Request body" />
        <BodyView text={response_body} label="Response body" />
      </Stack>
    </details>
  );
};

const Found = ({ search }: { search: string }) => {
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const found = useQuery(straysQuery(wanted));
  return (
    <Read of={found} what="these calls">
      {(calls) => (
        <>
          {calls.map((call) => (
            <StrayCall key={call.id} of={call} isOpen={calls.length === 1} />
          ))}
          {calls.length === 0 && (
            <Text c="secondary">{wanted === "" ? "No such call so far." : "No call matches."}</Text>
          )}
        </>
      )}
    </Read>
  );
};

/** The calls for support: bodies and reasons. */
export const StraysDialog = () => {
  const { values, change } = useSearchParamsOf(params);
  const { strays } = values;
  return (
    <Dialog
      isInAddress
      size="xl"
      opened={strays !== null}
      onClose={() => change({ strays: null })}
      title="Calls to worlds that don’t exist"
    >
      <Stack gap="xs">
        <Text c="secondary">
          No world has these calls on record. The service keeps the newest 1,000 that were refused.
        </Text>
        <TextInput
          type="search"
          label="Search"
          placeholder="World, ID, header, body or reason"
          value={strays ?? ""}
          onChange={({ currentTarget }) => change({ strays: currentTarget.value })}
        />
        {strays !== null && <Found search={strays} />}
      </Stack>
    </Dialog>
  );
};

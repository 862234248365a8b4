import { Group, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { notify } from "../../app/notices.tsx";
import { hrefs } from "../../app/places.ts";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { IconButton } from "../../components/button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read } from "../../components/read.tsx";
import { Time } from "../../components/time.tsx";
import { bodyOf } from "../../domain/exchange/body.ts";
import { isOnRecord } from "../../domain/exchange/declarations.ts";
import { exchangeQuery } from "../../domain/exchange/queries.ts";
import { formatTotal } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import styles from "./console.module.css";

const LISTED = 8;

const historyQuery = (world: string, operation: string) =>
  queryOptions({
    queryKey: worldKeys(world).requests("history", operation),
    queryFn: ({ signal }) =>
      callControl("requests.list", { operation, origin: "explorer", limit: LISTED, world }, { signal }),
  });

/** What the explorer called an operation with before, newest first; each can be put into the form again. */
export const History = (props: { operation: string; onFill: (body: string) => void }) =>
  isOnRecord({ id: props.operation }) ? <Recorded {...props} /> : null;

const Recorded = ({ operation, onFill }: { operation: string; onFill: (body: string) => void }) => {
  const world = useWorld();
  const client = useQueryClient();
  const query = useQuery(historyQuery(world, operation));
  const fill = async (id: string) => {
    try {
      const { request_body_base64, body_masked } = await client.fetchQuery(exchangeQuery(world, id));
      onFill(bodyOf(request_body_base64).text ?? "");
      if (body_masked)
        notify.tell({ title: "Secrets of this body are masked", detail: "Write them in before you send it." });
    } catch (error) {
      notify.failed("Read the call", error);
    }
  };
  return (
    <section aria-label="History">
      <div className="sec hl">
        <h3 className="h2">History</h3>
        <Text variant="aside">sent by the explorer</Text>
        {query.data && query.data.total > 0 && (
          <Group component="span" ml="auto">
            <TextLink href={`/requests?operation=${encodeURIComponent(operation)}`}>All calls</TextLink>
          </Group>
        )}
      </div>
      <Read of={query} what="the history" rows={2}>
        {({ items, ...counted }) =>
          items.length === 0 ? (
            <Text component="p" variant="aside" className={styles.none}>
              The explorer hasn’t called it in this world yet.
            </Text>
          ) : (
            <ul className={styles.history} aria-label={`Last ${items.length} of ${formatTotal(counted)} calls`}>
              {items.map((row) => (
                <li key={row.id}>
                  <TextLink href={hrefs.request(row.id)} title="Open the call">
                    <Time at={row.at} as="clock" on="real" />
                  </TextLink>
                  <Text truncate title={row.outcome}>
                    {row.label !== null && (
                      <Text component="b" fw={500}>
                        {row.label}{" "}
                      </Text>
                    )}
                    {row.outcome}
                  </Text>
                  <HttpStatus status={row.status} />
                  <IconButton
                    small
                    icon={IconArrowBackUp}
                    label="Put its body into the form"
                    onClick={() => void fill(row.id)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </section>
  );
};

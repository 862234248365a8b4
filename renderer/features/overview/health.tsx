import { Group, Text } from "@mantine/core";
import { IconServer } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { State } from "../../components/state.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { useConnection } from "../../kernel/live/connection-store.ts";
import { serviceInfoQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";

const HEALTH_EVERY_MS = 15_000;

/** The service's own report on whether it can serve and write. */
const healthQuery = () =>
  queryOptions({
    queryKey: ["service", "health"] as const,
    queryFn: async ({ signal }) => {
      const response = await fetch("/__health", { cache: "no-store", signal });
      if (!response.ok) throw new Error(`the health check returned ${response.status}`);
      return true;
    },
    refetchInterval: HEALTH_EVERY_MS,
    retry: false,
  });

const Standing = ({ failing }: { failing: number }) => {
  const { data: info } = useQuery(serviceInfoQuery());
  const health = useQuery(healthQuery());
  const answers = useConnection(({ connection }) => connection.state === "live");
  // The last report is outdated while disconnected; the bar shows since when.
  if (!answers) return null;
  if (health.error)
    return (
      <State of="failed" title={health.error.message}>
        Unhealthy: {health.error.message}
      </State>
    );
  if (info && !info.deliveries)
    return (
      <State of="skipped" title="Deliveries are recorded but not sent">
        Deliveries off
      </State>
    );
  if (failing > 0)
    return (
      <State of="failed" title="The last attempts failed. See Webhooks for the reason.">
        <TextLink href="/webhooks">{plural(failing, "failing receiver")}</TextLink>
      </State>
    );
  return health.data ? (
    <State of="done" title="It responds and can write to its file">
      Service healthy
    </State>
  ) : null;
};

/** The service's address and its ability to write. */
export const Health = () => {
  const world = useWorld();
  const { data: info } = useQuery(serviceInfoQuery());
  const { data: subscriptions } = useQuery(subscriptionsQuery(world));
  if (!info) return null;
  return (
    <>
      <Group component="span" gap={5} wrap="nowrap" title={`Version ${info.version}`}>
        <Icon of={IconServer} size={14} />
        <Text component="b" fw={500} c="bright">
          {info.base_url.replace(/^https?:\/\//, "")}
        </Text>
        <CopyButton text={info.base_url} what="the base URL" />
      </Group>
      <Standing
        failing={subscriptions?.filter((one) => one.paused_at === null && one.failing_since !== null).length ?? 0}
      />
    </>
  );
};

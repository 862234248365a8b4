import { Box, Group, Text } from "@mantine/core";
import { IconBolt, IconPlugConnectedX, IconReload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Fault } from "../../../sandbox/contract/control/fault-operations.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Icon, type IconOf } from "../../components/icon.tsx";
import type { Tone } from "../../components/state.tsx";
import { armedFaults, faultRemainderText, faultsQuery, useClearFaults } from "../../domain/fault/faults.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { isLost, useConnection } from "../../kernel/live/connection-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { useNow, useNowValue } from "../../lib/world-clock.ts";

/** A line under the top bar for a state that lasts until somebody changes it. */
const Banner = ({
  tone,
  icon,
  label,
  children,
  actions,
}: {
  tone: Tone;
  icon: IconOf;
  /** Accessible name. */
  label: string;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <Group component="section" className={`banner ${tone}`} aria-label={label}>
    <Icon of={icon} size={14} />
    <Box component="p" flex={1} miw={0}>
      {children}
    </Box>
    {actions}
  </Group>
);

const OtherBuild = () => {
  const other = useConnection((state) => state.otherBuild);
  if (other === null) return null;
  const { version, pageVersion } = other;
  return (
    <Banner
      tone="wait"
      icon={IconReload}
      label="New version"
      actions={
        <Button small onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
    >
      <b>The service version has changed.</b>{" "}
      {version === pageVersion
        ? `The service runs another build of ${version}.`
        : `The service is ${version}, this page is ${pageVersion}.`}{" "}
      Send or save your input, then reload.
    </Banner>
  );
};

const Lost = () => {
  const { connection, retry } = useConnection();
  const lost = useNowValue("real", (now) => isLost(connection, now));
  const why = connection.state === "reconnecting" ? connection.why : null;
  if (why !== null)
    return (
      <Banner
        tone="wait"
        icon={IconPlugConnectedX}
        label="No live updates"
        actions={
          <Button small onClick={retry}>
            Try now
          </Button>
        }
      >
        <b>This window gets no live updates.</b> {why}
      </Banner>
    );
  if (!lost) return null;
  return (
    <Banner
      tone="bad"
      icon={IconPlugConnectedX}
      label="Service not responding"
      actions={
        <Button small onClick={retry}>
          Try now
        </Button>
      }
    >
      <b>The service doesn’t respond.</b> You see the last known data. Your input is kept. Restart the service to
      reconnect automatically.
    </Banner>
  );
};

/** Banners about the service's connection and version. */
export const ConnectionBanners = () => (
  <>
    <OtherBuild />
    <Lost />
  </>
);

const What = ({ fault }: { fault: Fault }) => {
  const now = useNow("real", 1000);
  return (
    <>
      {fault.name !== null && <Text fw={500}>{fault.name}: </Text>}
      {fault.sentence} <Text c="secondary">({faultRemainderText(fault, now)})</Text>
    </>
  );
};

/** Shown in every place while calls fail on purpose. */
export const FaultBanner = () => {
  const world = useWorld();
  const { data } = useQuery(faultsQuery(world));
  const clear = useClearFaults(() => document.getElementById("place")?.focus());
  const count = useNowValue("real", (now) => armedFaults(data ?? [], now).length);
  const [first, ...more] = armedFaults(data ?? [], Date.now());
  if (count === 0 || !first) return null;
  return (
    <Banner
      tone="wait"
      icon={IconBolt}
      label="Active faults"
      actions={
        <>
          <LinkButton small look="quiet" href={hrefs.faults(world)}>
            Faults
          </LinkButton>
          <Button
            small
            needs="manage"
            busy={clear.isPending}
            onClick={() => clear.mutate(more.length === 0 ? first.id : null)}
          >
            {more.length === 0 ? "Clear" : "Clear all"}
          </Button>
        </>
      }
    >
      <b>{plural(count, "active fault")}.</b> <What fault={first} />
      {more.length > 0 && ` And ${plural(more.length, "other")}.`}
    </Banner>
  );
};

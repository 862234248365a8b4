import { Box } from "@mantine/core";
import type { QueryClient } from "@tanstack/react-query";
import type { PlaceProps } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { switchesQuery } from "../../app/world-queries.ts";
import { PlaceHead, Section } from "../../components/section.tsx";
import { confinedTo } from "../../lib/confined.ts";
import { AuditLog, AuditSetting } from "./audit.tsx";
import { Credentials } from "./credentials.tsx";
import { Erase } from "./erase.tsx";
import { LogLines } from "./log-lines.tsx";
import { Density, SingleKeys, Theme } from "./look.tsx";
import { Notices } from "./notices.tsx";
import { PortSetting } from "./port.tsx";
import { retentionQuery, serviceSettingsQuery } from "./queries.ts";
import { DataFolder, StartedWith } from "./service.tsx";
import { RetentionSetting, Retries } from "./world.tsx";

/** Settings: of this window, of its world and of the service, each with when a change of it holds. */
export const Place = ({ id, tab }: PlaceProps) => {
  const world = useWorld();
  if (id === "audit" && tab === "log" && confinedTo() === null) return <AuditLog />;
  return (
    <div className="place">
      <PlaceHead title="Settings" />
      <Box component="section" aria-label="All settings" className="scroll" flex={1}>
        <Section title="This explorer" note="all windows of this browser or app">
          <Theme shown={id} />
          <Density shown={id} />
          <SingleKeys shown={id} />
          <Notices shown={id} />
        </Section>
        <Section title={`World ${world}`} note="separate for each world">
          <RetentionSetting key={world} shown={id} />
          <Retries shown={id} />
        </Section>
        {confinedTo() === null && (
          <Section title="Service">
            <PortSetting shown={id} />
            <DataFolder shown={id} />
            <StartedWith shown={id} />
            <LogLines shown={id} />
            <AuditSetting shown={id} />
            <Credentials shown={id} />
            <Erase shown={id} />
          </Section>
        )}
      </Box>
    </div>
  );
};

/** What its settings are set to: without it, each would push those below it down. */
export const readFirst = (client: QueryClient, world: string) => [
  client.prefetchQuery(retentionQuery(world)),
  client.prefetchQuery(switchesQuery(world)),
  ...(confinedTo() === null ? [client.prefetchQuery(serviceSettingsQuery())] : []),
];

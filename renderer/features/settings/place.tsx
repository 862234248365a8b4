import { Box } from "@mantine/core";
import { IconLogout2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../components/button.tsx";
import { Read } from "../../components/read.tsx";
import { PlaceHead, Section } from "../../components/section.tsx";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { switchesQuery } from "../../kernel/queries/world-queries.ts";
import { isSignedIn, signOut } from "../../kernel/session/sign-in.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { AuditLog, AuditSetting } from "./audit.tsx";
import { Erase } from "./erase.tsx";
import { LogLines } from "./log-lines.tsx";
import { DensitySetting, Notices, SingleKeys, ThemeSetting } from "./look.tsx";
import { retentionQuery, serviceSettingsQuery } from "./queries.ts";
import { DataFolder, PortSetting, StartedWith } from "./service.tsx";
import { ShownSetting } from "./setting.tsx";
import { RetentionSetting, Retries } from "./world.tsx";

const ServiceSettings = () => {
  const settings = useQuery(serviceSettingsQuery());
  return (
    <Section title="Service">
      <Read of={settings} what="the settings of the service" rows={8}>
        {(data) => (
          <>
            <PortSetting port={data.port} />
            <DataFolder settings={data} />
            <StartedWith settings={data} />
          </>
        )}
      </Read>
      {!settings.isPending && (
        <>
          <LogLines />
          <AuditSetting />
          <Erase />
        </>
      )}
    </Section>
  );
};

/**
 * The place Settings: of the window, its world and the service. Groups appear from top to bottom, so that nothing
 * moves.
 */
const AllSettings = () => {
  const world = useWorld();
  const retention = useQuery(retentionQuery(world));
  const switches = useQuery(switchesQuery(world));
  return (
    <div className="place">
      <PlaceHead title="Settings">
        {isSignedIn() && (
          <Button small look="quiet" icon={IconLogout2} onClick={signOut}>
            Sign out
          </Button>
        )}
      </PlaceHead>
      <Box component="section" aria-label="All settings" className="scroll" flex={1}>
        <Section title="This explorer" note="all windows of this browser or app">
          <ThemeSetting />
          <DensitySetting />
          <SingleKeys />
          <Notices />
        </Section>
        <Section title={`World ${world}`} note="separate for each world">
          <Read of={retention} what="the retention" rows={5}>
            {(retention) => <RetentionSetting key={world} retention={retention} />}
          </Read>
          {!retention.isPending && (
            <Read of={switches} what="the retry schedule" rows={5}>
              {({ policies }) => <Retries chosen={policies.webhook_retries} />}
            </Read>
          )}
        </Section>
        {worldAccess() === null && !retention.isPending && !switches.isPending && <ServiceSettings />}
      </Box>
    </div>
  );
};

export const Place = ({ id, tab }: PlaceProps) =>
  id === "audit" && tab === "log" && worldAccess() === null ? (
    <AuditLog />
  ) : (
    <ShownSetting value={id}>
      <AllSettings />
    </ShownSetting>
  );

import { Group, Text } from "@mantine/core";
import { IconFolderOpen } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Port, ServiceSettings } from "../../../sandbox/contract/control/service-operations.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Form, Submit } from "../../components/form.tsx";
import { NumberField } from "../../components/number-field.tsx";
import { ShortTable } from "../../components/short-table.tsx";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { formatBytes } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { Setting } from "./setting.tsx";

/** Opens the data folder in the platform's file manager; desktop app only. */
const OpenFolder = () => {
  const bridge = desktopBridge();
  if (bridge === null) return null;
  const open = () => bridge.openDataFolder().catch((error: unknown) => notify.failed("Open data folder", error));
  return (
    <Button icon={IconFolderOpen} onClick={() => void open()}>
      Open folder
    </Button>
  );
};

/** The data folder and its size. */
export const DataFolder = ({ settings: { started_by, data_folder } }: { settings: ServiceSettings }) => (
  <Setting
    id="data"
    appliesWhen="Applies after restart"
    about={
      <>
        {data_folder.path === null ? (
          <p>Data is kept in memory only and deleted when the service stops.</p>
        ) : (
          <p>
            <Text component="code" style={{ overflowWrap: "anywhere" }}>
              {data_folder.path}
            </Text>{" "}
            <CopyButton text={data_folder.path} what="path of the data folder" />
          </p>
        )}
        <p>
          <b>{formatBytes(data_folder.bytes)}</b> on disk
        </p>
        <p>
          To use another folder, start the service with{" "}
          <code>{started_by === "desktop" ? "--data-folder" : "--data"}</code> or{" "}
          <code>{started_by === "desktop" ? "INTEGRATIONS_EXPLORER_DATA" : "SANDBOX_DATA"}</code>.
        </p>
      </>
    }
  >
    <span>
      <OpenFolder />
    </span>
  </Setting>
);

const startedBy = ({ started_by }: ServiceSettings): string =>
  started_by === "desktop"
    ? "The desktop app sets these. To choose your own, start the service with the command sandbox and these options."
    : "Set these as command options or as environment variables. For example, --idle-reset is SANDBOX_IDLE_RESET.";

/** The service's start options, and the program that started it. */
export const StartedWith = ({ settings }: { settings: ServiceSettings }) => (
  <Setting
    id="start"
    appliesWhen="Applies after restart"
    about={startedBy(settings)}
    more={
      <ShortTable
        label="Startup settings"
        least={500}
        rows={settings.items}
        keyOf={({ option }) => option}
        columns={[
          { head: "Setting", cell: ({ name }) => name },
          { head: "Value", title: ({ value }) => value ?? undefined, cell: ({ value }) => value ?? "none" },
          {
            ...{ head: "Option", width: 208 },
            cell: ({ option }) => (
              <Text component="code" variant="mono">
                {option}
              </Text>
            ),
          },
        ]}
      />
    }
  />
);

const PortForm = ({ port: { now, next_start } }: { port: Port }) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState<number | null>(next_start ?? now);
  const keep = useMutation({
    mutationFn: (port: number | null) => callControl("service.set", { world: DEFAULT_WORLD, port }),
    onSuccess: () => client.invalidateQueries({ queryKey: serviceKeys.settings }),
  });
  const isPort = typed !== null && typed >= 1024 && typed <= 65_535;
  const problem = isPort ? (keep.error?.message ?? null) : "Enter a whole number from 1024 to 65535.";
  return (
    <Form onSend={() => isPort && keep.mutate(typed)}>
      <NumberField label="Port after the next restart" value={typed} onChange={setTyped} error={problem} />
      <Group component="span" wrap="wrap">
        <Submit look="default" busy={keep.isPending} disabled={!isPort || typed === next_start}>
          Save port{" "}
        </Submit>
        {next_start !== null && (
          <Button look="quiet" onClick={() => keep.mutate(null)}>
            Reset to default
          </Button>
        )}
      </Group>
    </Form>
  );
};

/** The service's port. */
export const PortSetting = ({ port }: { port: Port }) => (
  <Setting
    id="port"
    appliesWhen="Applies after restart"
    about={
      <>
        <p>Your programs and this explorer use this port, currently {port.now}.</p>
        <p>
          {port.fixed
            ? "Set with --port or SANDBOX_PORT."
            : `The next start uses port ${port.next_start ?? 4026}, or any free port if it is taken.`}
        </p>
      </>
    }
  >
    {!port.fixed && <PortForm key={port.next_start} port={port} />}
  </Setting>
);

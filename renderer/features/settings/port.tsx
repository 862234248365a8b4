import { Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Port } from "../../../sandbox/contract/control/service-operations.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { NumberField } from "../../components/number-field.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { Setting } from "./setting.tsx";

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
        <Button type="submit" busy={keep.isPending} disabled={!isPort || typed === next_start}>
          Save port{" "}
        </Button>
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
export const PortSetting = ({ shown, port }: { shown: string | undefined; port: Port }) => (
  <Setting
    id="port"
    shown={shown}
    holds="Applies after restart"
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

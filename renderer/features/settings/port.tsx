import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Port } from "../../../sandbox/contract/control/service-operations.ts";
import { serviceKeys } from "../../app/query-keys.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { NumberField } from "../../components/number-field.tsx";
import { Read } from "../../components/read.tsx";
import { callControl } from "../../lib/service-client.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { serviceSettingsQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";
import styles from "./settings.module.css";

const PortForm = ({ port: { now, next_start } }: { port: Port }) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState<number | null>(next_start ?? now);
  const keep = useMutation({
    mutationFn: (port: number | null) => callControl("service.set", { world: DEFAULT_WORLD, port }),
    onSuccess: () => client.invalidateQueries({ queryKey: serviceKeys.settings }),
  });
  const isPort = typed !== null && typed >= 1024 && typed <= 65_535;
  const problem = isPort ? (keep.error?.message ?? null) : "A whole number from 1024 to 65535.";
  return (
    <Form className={styles.form} onSend={() => isPort && keep.mutate(typed)}>
      <NumberField label="Port for the next start" value={typed} onChange={setTyped} error={problem} />
      <span className="row wrap">
        <Button type="submit" busy={keep.isPending} disabled={!isPort || typed === next_start}>
          Keep
        </Button>
        {next_start !== null && (
          <Button look="quiet" onClick={() => keep.mutate(null)}>
            The usual one again
          </Button>
        )}
      </span>
    </Form>
  );
};

/** Where the service listens. */
export const PortSetting = ({ shown }: { shown: string | undefined }) => {
  const query = useQuery(serviceSettingsQuery());
  const port = query.data?.port;
  return (
    <Setting
      id="port"
      shown={shown}
      {...(port === undefined ? {} : { holds: port.fixed ? "set at a start" : "from the next start on" })}
      about={
        <>
          <p>Partners’ programs and this explorer reach the service there{port && <>: now {port.now}</>}.</p>
          {port && (
            <p>
              {port.fixed
                ? "It was set at the start, with --port or SANDBOX_PORT."
                : `The next start takes ${port.next_start ?? 4026}, or any free one when that is taken.`}
            </p>
          )}
        </>
      }
    >
      <Read of={query} what="the port" rows={2}>
        {({ port: kept }) => (kept.fixed ? null : <PortForm key={kept.next_start} port={kept} />)}
      </Read>
    </Setting>
  );
};

import { Popover } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Client, Credential } from "../../../sandbox/contract/control/rows.ts";
import { useActAs, useCredentials } from "../../app/acting.ts";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { clientsQuery } from "../../app/world-queries.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Id } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read } from "../../components/read.tsx";
import { Side as SideMark, sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { announce } from "../../lib/announce.ts";
import { maskSecret } from "../../lib/formatting.ts";
import { envText, type Values } from "./flow.ts";
import styles from "./install.module.css";
import { useDemonstrations } from "./used-code.ts";

const Value = ({ name, value, secret, shown }: { name: string; value: string; secret: boolean; shown: boolean }) => {
  const [own, setOwn] = useState<boolean | null>(null);
  const open = !secret || (own ?? shown);
  return (
    <div className={styles.value}>
      <dt>{name}</dt>
      <dd className="m">{open ? value : maskSecret(value)}</dd>
      <dd className="row row-1">
        {secret && (
          <IconButton
            small
            icon={open ? IconEyeOff : IconEye}
            label={`${open ? "Hide" : "Show"} ${name}`}
            onClick={() => setOwn(!open)}
          />
        )}
        <CopyButton text={value} what={name} />
      </dd>
    </div>
  );
};

/** The three values a partner's app keeps; `shown` opens the two secret ones. */
export const CredentialValues = ({ values, shown }: { values: Values; shown: boolean }) => (
  <dl className={styles.values} key={String(shown)}>
    <Value name="api_key" value={values.api_key} secret shown={shown} />
    <Value name="integration_id" value={values.integration_id} secret={false} shown />
    {values.webhook_secret !== null && (
      <Value name="webhook secret" value={values.webhook_secret} secret shown={shown} />
    )}
  </dl>
);

/** The values in clear, asked for one credential at a time. */
const Reveal = ({ credential }: { credential: Credential }) => {
  const world = useWorld();
  const { api_key = "", integration_id, webhook_secret = null } = credential;
  const values = { api_key, integration_id, webhook_secret };
  return (
    <Popover position="top-end" width={560} trapFocus withRoles={false}>
      <Popover.Target>
        <span className="row row-1">
          <span className="m t2">{credential.key_hint}</span>
          <IconButton
            small
            icon={IconEye}
            label={`Show the values of ${credential.organization_name}, ${credential.key_hint}`}
          />
        </span>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Values of ${credential.organization_name}, ${credential.key_hint}`}>
        <div className="stack">
          <CredentialValues values={values} shown />
          <span>
            <CopyButton
              text={envText(values, window.location.origin, world)}
              what="the .env lines"
              label="Copy as .env"
            />
          </span>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
};

const useIsDemonstration = ({ integration_id }: Credential): boolean =>
  useDemonstrations(({ made }) => made.includes(integration_id));

/** Whether this window's calls of its side are made with it, or the button that makes it so. */
const UsedByThisWindow = ({ credential }: { credential: Credential }) => {
  const { credential: acting, choose } = useActAs(credential.scope);
  const isDemonstration = useIsDemonstration(credential);
  if (acting?.integration_id === credential.integration_id) return <State of="done">in use</State>;
  if (isDemonstration) return <span className="t3">never</span>;
  return (
    <Button
      small
      look="quiet"
      title={`This window’s calls as the ${sideWord(credential.scope).toLowerCase()} are made with this key from then on`}
      onClick={() => {
        choose(credential.integration_id);
        announce(`This window now calls as ${credential.organization_name}, ${credential.key_hint}`);
      }}
    >
      Use
      <span className="sr">
        {" "}
        {credential.organization_name}, {credential.key_hint}
      </span>
    </Button>
  );
};

const Made = ({ credential, clients }: { credential: Credential; clients: readonly Client[] }) => {
  const isDemonstration = useIsDemonstration(credential);
  if (isDemonstration)
    return (
      <span className="t3" title="Made by “access_code used before”, to have a code that was used up">
        to show a failure
      </span>
    );
  if (credential.preloaded) return <span className="t2">pre-loaded</span>;
  const name = clients.find(({ client_id }) => client_id === credential.client_id)?.name ?? credential.client_id;
  return (
    <span className="t2" title={name ? `Installed by ${name}` : undefined}>
      installed <Time at={credential.created_at} />
    </span>
  );
};

/** Every key of this world, masked; whose it is, where it came from, and which one this window calls with. */
export const CredentialsTable = () => {
  const held = useCredentials();
  const { data: clients = [] } = useQuery(clientsQuery(useWorld()));
  return (
    <Read of={held} what="the credentials">
      {(credentials) => {
        const columns: readonly Column<Credential>[] = [
          {
            key: "scope",
            head: "Credentials",
            width: "164px",
            cell: ({ scope }) => (
              <span className="row">
                <SideMark side={scope} />
                <span className="m11 t3">{scope}</span>
              </span>
            ),
          },
          {
            key: "organization",
            head: "Organization",
            cell: ({ integration_id, organization_name }) => (
              <TextLink
                href={hrefs.integration(integration_id)}
                title={`${organization_name}: what this integration has met, and what is left`}
              >
                {organization_name}
              </TextLink>
            ),
          },
          {
            key: "integration",
            head: "Integration",
            width: "136px",
            cell: (row) => <Id value={row.integration_id} what="integration ID" />,
          },
          { key: "key", head: "Key", width: "176px", cell: (row) => <Reveal credential={row} /> },
          { key: "made", head: "Made", width: "140px", cell: (row) => <Made credential={row} clients={clients} /> },
          {
            key: "acting",
            head: "Used here",
            width: "92px",
            right: true,
            cell: (row) => <UsedByThisWindow credential={row} />,
          },
        ];
        return (
          <section className={styles.credentials} aria-label="Credentials">
            <Table
              caption="Credentials of this world"
              columns={columns}
              rows={credentials}
              rowKey={(row) => row.integration_id}
            />
          </section>
        );
      }}
    </Read>
  );
};

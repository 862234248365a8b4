import { Box, Group, Popover, Stack, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { maskSecret } from "../../../sandbox/contract/known-secrets.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { KeyValue } from "../../components/key-value.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read } from "../../components/read.tsx";
import { ShortTable } from "../../components/short-table.tsx";
import { Side as SideMark, sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useActAs, useCredentials } from "../../kernel/credentials/acting.ts";
import { clientsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { envText, type Values } from "./flow.ts";

const Value = ({ name, value, shown }: { name: string; value: string; shown: boolean }) => {
  const [own, setOwn] = useState<boolean | null>(null);
  const isSecret = name !== "integration_id";
  const open = !isSecret || (own ?? shown);
  return (
    <Group component="span">
      <Text flex={1} miw={0} variant="code" style={{ overflowWrap: "anywhere" }}>
        {open ? value : maskSecret(value)}
      </Text>
      {isSecret && (
        <IconButton
          small
          icon={open ? IconEyeOff : IconEye}
          label={`${open ? "Hide" : "Show"} ${name}`}
          onClick={() => setOwn(!open)}
        />
      )}
      <CopyButton text={value} what={name} />
    </Group>
  );
};

/** The three values for a partner's app; `shown` reveals the two secret ones. */
export const CredentialValues = ({ values, shown }: { values: Values; shown: boolean }) => (
  <KeyValue
    key={String(shown)}
    rows={(
      [
        ["api_key", values.api_key],
        ["integration_id", values.integration_id],
        ["webhook secret", values.webhook_secret],
      ] as const
    ).map(([name, value]) => value !== null && [name, <Value key={name} name={name} value={value} shown={shown} />])}
  />
);

/** Reveals a credential's secrets, one credential at a time. */
const Reveal = ({ credential }: { credential: Credential }) => {
  const world = useWorld();
  const { api_key = "", integration_id, webhook_secret = null } = credential;
  const values = { api_key, integration_id, webhook_secret };
  return (
    <Popover position="top-end" width={560} trapFocus withRoles={false}>
      <Popover.Target>
        <Group component="span" gap="xs">
          <Text variant="code" c="secondary">
            {credential.key_hint}
          </Text>
          <IconButton
            small
            icon={IconEye}
            needs="act"
            label={`Show the values of ${credential.organization_name}, ${credential.key_hint}`}
          />
        </Group>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={`Values of ${credential.organization_name}, ${credential.key_hint}`}>
        <Stack>
          <CredentialValues values={values} shown />
          <span>
            <CopyButton
              text={envText(values, window.location.origin, world)}
              what="the .env lines"
              label="Copy as .env"
            />
          </span>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

/** Shows whether this window uses the credential, or a button to use it. */
const UsedByThisWindow = ({ credential }: { credential: Credential }) => {
  const { credential: acting, choose } = useActAs(credential.scope);
  if (acting?.integration_id === credential.integration_id) return <State of="done">in use</State>;
  return (
    <Button
      small
      look="quiet"
      title={`Makes this window’s calls as the ${sideWord(credential.scope).toLowerCase()} with this key`}
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

const Created = ({ credential: { preloaded, client_id, created_at } }: { credential: Credential }) => {
  const { data: clients = [] } = useQuery(clientsQuery(useWorld()));
  if (preloaded) return "pre-loaded";
  const name = clients.find((client) => client.client_id === client_id)?.name ?? client_id;
  return (
    <span title={name ? `Installed by ${name}` : undefined}>
      installed <Time at={created_at} />
    </span>
  );
};

/** Every key of this world, masked, with its organization, origin and use by this window. */
export const CredentialsTable = () => (
  <Read of={useCredentials()} what="the credentials">
    {(credentials) => (
      <Box
        component="section"
        className="hl"
        flex="none"
        mah={124}
        px="sm"
        style={{ overflow: "auto" }}
        aria-label="Credentials"
      >
        <ShortTable
          label="Credentials of this world"
          least={640}
          rows={credentials}
          keyOf={({ integration_id }) => integration_id}
          columns={[
            {
              ...{ head: "Credentials", width: 168 },
              cell: ({ scope }) => (
                <Group component="span">
                  <SideMark side={scope} />
                  <Text variant="mono" c="dimmed">
                    {scope}
                  </Text>
                </Group>
              ),
            },
            {
              head: "Organization",
              cell: ({ integration_id, organization_name }) => (
                <TextLink href={hrefs.integration(integration_id)} title="View readiness report">
                  {organization_name}
                </TextLink>
              ),
            },
            { head: "Key", width: 164, cell: (row) => <Reveal credential={row} /> },
            { head: "Created", width: 132, cell: (row) => <Created credential={row} /> },
            { head: "Used here", width: 84, right: true, cell: (row) => <UsedByThisWindow credential={row} /> },
          ]}
        />
      </Box>
    )}
  </Read>
);

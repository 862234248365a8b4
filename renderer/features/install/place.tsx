import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconChecklist } from "@tabler/icons-react";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { Client, Organization } from "../../../sandbox/contract/control/rows.ts";
import { maskSecret } from "../../../sandbox/contract/known-secrets.ts";
import { LinkButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Facts } from "../../components/key-value.tsx";
import { Read } from "../../components/read.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { Side } from "../../components/side.tsx";
import { useDrawn } from "../../components/use-drawn.ts";
import { hrefs, installParams } from "../../kernel/addresses/hrefs.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { clientsQuery, credentialsQuery, organizationsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { useRequestedInstall, useReturned } from "./arrival.ts";
import { IntegrationsBoard } from "./board.tsx";
import { CredentialsTable } from "./credentials.tsx";
import { FailureList } from "./failure-list.tsx";
import { FlowPane } from "./flow-pane.tsx";
import styles from "./install.module.css";
import { useInstall, useShownSide } from "./install-store.ts";
import { ReadinessPage } from "./readiness/readiness-page.tsx";

/** The client to install, with its provisioned values. */
const ClientBar = ({ client, clients }: { client: Client; clients: readonly Client[] }) => (
  <Group wrap="wrap" className="hb" flex="none" gap="8px 24px" px="lg" py="sm">
    <SelectField
      label="Client"
      value={client.client_id}
      options={clients.map(({ client_id, name }) => ({ value: client_id, label: name }))}
      onChange={(clientId) => clientId && useInstall.setState({ clientId })}
    />
    <Facts
      rows={[
        [
          "client_id",
          <Text key="id" variant="code">
            {client.client_id} <CopyButton text={client.client_id} what="client_id" />
          </Text>,
        ],
        [
          "client_secret",
          <Text key="secret" variant="code">
            {maskSecret(client.client_secret ?? "")}{" "}
            <CopyButton text={client.client_secret ?? ""} what="client_secret" />
          </Text>,
        ],
      ]}
    />
    {!client.oauth_enabled && (
      <span className="st wait" title="integrations.insert returns 403 o_auth_not_supported_by_integration">
        <Icon of={IconAlertTriangle} size={14} />
        not enabled for install
      </span>
    )}
  </Group>
);

const Install = ({
  clients,
  organizations,
}: {
  clients: readonly Client[];
  organizations: readonly Organization[];
}) => {
  const { clientId, organizations: chosen } = useInstall();
  const side = useShownSide();
  const isFlowDrawn = useDrawn();
  const client =
    clients.find(({ client_id }) => client_id === clientId) ??
    clients.find(({ oauth_enabled }) => oauth_enabled) ??
    clients[0];
  const ofSide = organizations.filter(({ scope }) => scope === side);
  const organization = ofSide.find(({ id }) => id === chosen[side]) ?? ofSide[0];
  if (!client || !organization) return null;
  return (
    <div className={styles.panes}>
      <Stack gap={0} mih={0}>
        <ClientBar client={client} clients={clients} />
        <Stack component="section" gap={0} className="scroll" flex={1} tabIndex={0} aria-label="Flow and credentials">
          <FlowPane key={side} side={side} client={client} organization={organization} organizations={ofSide} />
          <CredentialsTable />
        </Stack>
      </Stack>
      {isFlowDrawn && <FailureList clients={clients} organization={organization} scope={side} />}
    </div>
  );
};

const InstallPage = () => {
  usePageTitle("Install");
  const { change } = useSearchParamsOf(installParams);
  const shown = useShownSide();
  useRequestedInstall();
  useReturned();
  const world = useWorld();
  const clients = useQuery(clientsQuery(world));
  const organizations = useQuery(organizationsQuery(world));
  return (
    <div className="place">
      <PlaceHead title="Install" note="The install flow, step by step">
        <LinkButton small look="quiet" icon={IconChecklist} href={hrefs.integrations}>
          Readiness
        </LinkButton>
        <SegmentedControl
          aria-label="Install as"
          data={[
            { value: "repairer", label: <Side side="repairer" /> },
            { value: "supplier", label: <Side side="supplier" /> },
          ]}
          value={shown}
          onChange={(sides) => change({ sides })}
        />
      </PlaceHead>
      <Read of={clients} what="the clients" rows={5}>
        {(known) => (
          <Read of={organizations} what="the organizations" rows={5}>
            {(all) => <Install clients={known} organizations={all} />}
          </Read>
        )}
      </Read>
    </div>
  );
};

/**
 * The place Install, like a partner's app: consent, code, one call, a key; and every failure. `/install/integrations`
 * shows all integrations' readiness, `/install/integrations/:id` one report.
 */
export const Place = ({ id, tab }: PlaceProps) => {
  if (id !== "integrations") return <InstallPage />;
  return tab === undefined ? <IntegrationsBoard /> : <ReadinessPage key={tab} id={tab} />;
};

/** Loads the list before the page is drawn. */
export const prefetch = (client: QueryClient, world: string) => [
  client.prefetchQuery(clientsQuery(world)),
  client.prefetchQuery(organizationsQuery(world)),
  client.prefetchQuery(credentialsQuery(world)),
];

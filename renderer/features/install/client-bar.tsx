import { IconAlertTriangle } from "@tabler/icons-react";
import type { Client } from "../../../sandbox/contract/control/rows.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { maskSecret } from "../../lib/formatting.ts";
import { useInstall } from "./install-store.ts";

/** Which program installs, with what was provisioned for it out of band. */
export const ClientBar = ({ client, clients }: { client: Client; clients: readonly Client[] }) => {
  const chooseClient = useInstall((state) => state.chooseClient);
  return (
    <div className="install-client">
      <SelectField
        label="Client"
        value={client.client_id}
        options={clients.map(({ client_id, name }) => ({ value: client_id, label: name }))}
        onChange={(id) => id && chooseClient(id)}
      />
      <span className="row row-1 t12">
        <span className="t3">client_id</span>
        <span className="m">{client.client_id}</span>
        <CopyButton text={client.client_id} what="client_id" />
      </span>
      <span className="row row-1 t12 install-secret">
        <span className="t3">client_secret</span>
        <span className="m">{maskSecret(client.client_secret ?? "")}</span>
        <CopyButton text={client.client_secret ?? ""} what="client_secret" />
      </span>
      {!client.oauth_enabled && (
        <span className="st wait" title="integrations.insert answers 403 o_auth_not_supported_by_integration">
          <Icon of={IconAlertTriangle} size={14} />
          not enabled for install
        </span>
      )}
    </div>
  );
};

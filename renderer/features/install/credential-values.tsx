import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import { IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { maskSecret } from "../../lib/formatting.ts";
import "./result.css";

interface Values {
  readonly api_key: string;
  readonly integration_id: string;
  readonly webhook_secret: string | null;
}

const Value = ({ name, value, secret, shown }: { name: string; value: string; secret: boolean; shown: boolean }) => {
  const [own, setOwn] = useState<boolean | null>(null);
  const open = !secret || (own ?? shown);
  return (
    <div className="install-value">
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
  <dl className="install-values" key={String(shown)}>
    <Value name="api_key" value={values.api_key} secret shown={shown} />
    <Value name="integration_id" value={values.integration_id} secret={false} shown />
    {values.webhook_secret !== null && (
      <Value name="webhook secret" value={values.webhook_secret} secret shown={shown} />
    )}
  </dl>
);

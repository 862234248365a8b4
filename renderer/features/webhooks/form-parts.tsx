import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { Refusal } from "../../components/failing.tsx";
import { sideWord } from "../../components/side.tsx";
import { ServiceFailure } from "../../lib/service-failure.ts";

/** Why something was not done, where it was asked for; nothing while nothing failed. */
export const Refused = ({ error }: { error: Error | null }) =>
  error && (
    <div className="webhooks-refused">
      {error instanceof ServiceFailure ? <Refusal failure={error} /> : error.message}
    </div>
  );

/** An integration as it is chosen by a person. */
export const integrationOption = ({ integration_id, scope, organization_name, key_hint }: Credential) => ({
  value: integration_id,
  label: `${sideWord(scope)}: ${organization_name}, ${key_hint}`,
});

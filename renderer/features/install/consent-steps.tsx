import { IconCircleCheck, IconExternalLink } from "@tabler/icons-react";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../app/world.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Refusal } from "../../components/failing.tsx";
import { Origin } from "../../components/origin.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { goToConsentPage } from "./consent-page.ts";
import { authorizeAddress, type IssuedCode, issuedAt } from "./flow.ts";
import { useInstall } from "./install-store.ts";
import { Step } from "./step.tsx";

interface ConsentProps {
  readonly side: Side;
  readonly client: Client;
  readonly organization: Organization;
  readonly organizations: readonly Organization[];
  readonly busy: boolean;
  readonly error: Error | null;
  readonly keys: string | undefined;
  readonly onApprove: () => void;
}

const returnedWords = {
  denied: (
    <>
      <State of="refused">denied</State> The consent page sent back <span className="m11">error=access_denied</span>: no
      code was handed out.
    </>
  ),
  foreign: (
    <>
      <State of="refused">not taken</State> What came back bears no <span className="m11">state</span> this window sent.
      A partner’s app must not take such a code either: it may have been made for someone else.
    </>
  ),
} as const;

/** Steps 1 and 2 while nothing is approved: who installs, and the consent the sandbox gives in the platform's place. */
export const ConsentSteps = ({
  side,
  client,
  organization,
  organizations,
  busy,
  error,
  keys,
  onApprove,
}: ConsentProps) => {
  const world = useWorld();
  const choose = useInstall((state) => state.chooseOrganization);
  const returned = useInstall((state) => state.returned);
  return (
    <>
      <Step number={1} stage="now" title="Organization and scope">
        <div className="install-fields">
          <SelectField
            label="Organization"
            value={organization.id}
            options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => id && choose(side, id)}
          />
          <div className="field">
            <span className="field-label">Scope</span>
            <span className="install-scope">
              <span className="m">{side}</span>
              <span className="t12 t3 nw">{side === "repairer" ? "buys parts" : "sells parts"}</span>
            </span>
          </div>
        </div>
      </Step>
      <Step number={2} stage="now" title="Consent" aside={<Origin of="assumption" id="D21" />}>
        <div className="install-consent">
          <p>
            <b>{client.name}</b> asks to act for <b>{organization.name}</b> as <span className="m11">{side}</span>.
          </p>
          <p className="t3">
            On the platform, a person of the organization approves this and is redirected to the partner’s app with{" "}
            <span className="m11">code</span> and <span className="m11">state</span>. The contract does not show these
            steps: here the sandbox approves by itself, or asks you on a consent page of its own.
          </p>
          <p className="t3 row row-1">
            <span>
              A partner’s own app gets the same from <span className="m11">/__oauth/authorize</span>.
            </span>
            <CopyButton
              text={authorizeAddress(client.client_id, window.location.origin, world)}
              what="the address for a partner’s app"
            />
          </p>
        </div>
        {error instanceof ServiceFailure && <Refusal failure={error} />}
        {returned?.side === side && <p className="install-returned">{returnedWords[returned.kind]}</p>}
        <div className="row wrap" data-next="">
          <Button look="primary" icon={IconCircleCheck} busy={busy} onClick={onApprove} {...(keys ? { keys } : {})}>
            Approve
          </Button>
          <Button icon={IconExternalLink} onClick={() => goToConsentPage(client, side, world)}>
            Answer on the consent page
          </Button>
        </div>
      </Step>
    </>
  );
};

/** Steps 1 and 2 once the code was handed out. */
export const ConsentDone = ({ code, side }: { code: IssuedCode; side: Side }) => (
  <>
    <Step number={1} stage="done" title="Organization and scope">
      <p>
        {code.organization_name ? (
          <>
            {code.organization_name}, <span className="m11">{side}</span>
          </>
        ) : (
          "Chosen on the consent page; the redirect does not say which."
        )}
      </p>
    </Step>
    <Step number={2} stage="done" title="Consent" aside={<Time at={issuedAt(code)} as="clock" />}>
      <p>
        {code.from === "page"
          ? "Approved on the consent page; redirected with code and state."
          : "Approved by the sandbox in the platform’s place."}{" "}
        <Origin of="assumption" id="D21" tight />
      </p>
    </Step>
  </>
);

import { IconSend } from "@tabler/icons-react";
import type { Client } from "../../../sandbox/contract/control/rows.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Origin } from "../../components/origin.tsx";
import { RequestPreview } from "../../components/request-preview.tsx";
import { maskSecret } from "../../lib/formatting.ts";
import type { ServiceFailure } from "../../lib/service-failure.ts";
import type { Installed, IssuedCode } from "./flow.ts";
import { OnTheWire } from "./on-the-wire.tsx";
import { ServedIn } from "./served-in.tsx";
import { Step } from "./step.tsx";

/** What to do after a refusal, by its code. */
const advice: Readonly<Record<string, string>> = {
  invalid_access_code: "The code has run out, was used, or belongs to another client. Issue another one.",
  o_auth_not_supported_by_integration:
    "This client is registered, but not for OAuth install. Choose another client above; nothing was consumed.",
};

/** Step 4: the one request an install is, as it will be sent, and what it answered when it was refused. */
export const InsertStep = ({
  code,
  client,
  refused,
  busy,
  keys,
  onInstall,
}: {
  code: IssuedCode;
  client: Client;
  refused: ServiceFailure | null;
  busy: boolean;
  keys: string | undefined;
  onInstall: () => void;
}) => (
  <Step number={4} stage="now" title={<span className="op">integrations.insert</span>} aside={<Origin of="contract" />}>
    <RequestPreview
      operation="integrations.insert"
      credential={null}
      body={{
        client_id: client.client_id,
        client_secret: maskSecret(client.client_secret ?? ""),
        access_code: code.access_code,
      }}
    />
    {refused && (
      <div className="install-refused">
        <Refusal failure={refused}>
          {advice[refused.code] && <span className="t12 t2">{advice[refused.code]}</span>}
        </Refusal>
      </div>
    )}
    <div className="row wrap" data-next="">
      <Button look="primary" icon={IconSend} busy={busy} onClick={onInstall} {...(keys ? { keys } : {})}>
        Install
      </Button>
      <span className="t12 t3">No credential headers: the only operation without them.</span>
    </div>
  </Step>
);

/** Step 4 once it answered 200. */
export const InsertDone = ({ installed }: { installed: Installed }) => (
  <Step
    number={4}
    stage="done"
    title={
      <>
        <span className="op">integrations.insert</span> <HttpStatus status={200} />
      </>
    }
    aside={
      <span className="row">
        <OnTheWire requestId={installed.request_id} of="integrations.insert" />
        <ServedIn requestId={installed.request_id} waitedMs={installed.duration_ms} />
      </span>
    }
  />
);

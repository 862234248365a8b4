import { IconKey } from "@tabler/icons-react";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Origin } from "../../components/origin.tsx";
import { Note } from "../../components/section.tsx";
import { CredentialValues } from "./credential-values.tsx";
import type { Installed } from "./flow.ts";
import { useInstall } from "./install-store.ts";
import { NextSteps } from "./next-steps.tsx";
import { Step } from "./step.tsx";

/** Step 5: the key, in clear when it came just now; then what to do with it. */
export const ResultStep = ({
  side,
  installed,
  justNow,
  onAgain,
}: {
  side: Side;
  installed: Installed;
  justNow: boolean;
  onAgain: () => void;
}) => {
  const fresh = useInstall((state) => !state.putAway.includes(installed.integration_id)) && justNow;
  const putAway = useInstall((state) => state.putAwayKey);
  return (
    <Step number={5} stage="done" title="Key, integration id and webhook secret">
      <div className={fresh ? "install-fresh" : undefined}>
        {fresh && (
          <div className="row install-once">
            <Icon of={IconKey} size={14} />
            <b>Shown once</b>
            <span className="t12 el grow">The contract answers with the key this one time.</span>
            <Button small look="quiet" onClick={() => putAway(installed.integration_id)}>
              I have kept it
            </Button>
          </div>
        )}
        <CredentialValues values={installed} shown={fresh} />
      </div>
      <Note>
        {installed.webhook_secret === null
          ? "The webhook secret could not be read; it is in the credentials list. "
          : "All three stay in the credentials list, masked. "}
        The secret comes from <span className="m11">/__webhooks/secret</span>. <Origin of="extension" />
      </Note>
      <NextSteps side={side} installed={installed} onAgain={onAgain} />
    </Step>
  );
};

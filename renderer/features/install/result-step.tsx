import { IconArrowsExchange, IconCar, IconCopy, IconKey, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";
import { hasPlace } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { useCopied } from "../../components/id.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../components/origin.tsx";
import { Note } from "../../components/section.tsx";
import { State } from "../../components/state.tsx";
import { CredentialValues } from "./credential-values.tsx";
import { envText, type Installed } from "./flow.ts";
import { useInstall } from "./install-store.ts";
import { useSubscribeReceiver } from "./mutations.ts";
import { receiverSubscriptionQuery } from "./queries.ts";
import { Step } from "./step.tsx";

const onward = {
  repairer: { place: "jobs", path: "/jobs", label: "Open jobs as this integration", icon: IconCar },
  supplier: {
    place: "procurements",
    path: "/procurements",
    label: "Open procurements as this integration",
    icon: IconArrowsExchange,
  },
} as const;

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
  const world = useWorld();
  const [, navigate] = useLocation();
  const { choose } = useActAs(side);
  const fresh = useInstall((state) => !state.putAway.includes(installed.integration_id)) && justNow;
  const putAway = useInstall((state) => state.putAwayKey);
  const [copied, copyEnv] = useCopied(envText(installed, window.location.origin, world), "the .env lines");
  const next = onward[side];
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
      <div className="row wrap" data-next="">
        <Button small icon={IconCopy} onClick={copyEnv}>
          {copied ? "Copied" : "Copy as .env"}
        </Button>
        <SubscribeReceiver integrationId={installed.integration_id} />
        {hasPlace(next.place) && (
          <Button
            small
            icon={next.icon}
            onClick={() => {
              choose(installed.integration_id);
              navigate(next.path);
            }}
          >
            {next.label}
          </Button>
        )}
        <Button small look="quiet" onClick={onAgain}>
          Install again
        </Button>
      </div>
    </Step>
  );
};

const SubscribeReceiver = ({ integrationId }: { integrationId: string }) => {
  const { data: subscribed } = useQuery(receiverSubscriptionQuery(useWorld(), integrationId));
  const subscribe = useSubscribeReceiver();
  if (subscribed) {
    return (
      <State of="done">
        Receives its events
        {hasPlace("webhooks") && (
          <>
            : <TextLink href="/webhooks">Webhooks</TextLink>
          </>
        )}
      </State>
    );
  }
  return (
    <Button small icon={IconWebhook} busy={subscribe.isPending} onClick={() => subscribe.mutate(integrationId)}>
      Subscribe the reference sink
    </Button>
  );
};

import { IconArrowBackUp, IconArrowsExchange, IconCar, IconCopy } from "@tabler/icons-react";
import { useLocation } from "wouter";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../app/acting.ts";
import { hasPlace } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { Button, type ButtonLook } from "../../components/button.tsx";
import type { IconOf } from "../../components/icon.tsx";
import { useCopied } from "../../components/id.tsx";
import { envText, type Installed } from "./flow.ts";
import { SubscribeReceiver } from "./subscribe-receiver.tsx";
import { useWayBack } from "./use-way-back.ts";
import { UsedHere } from "./used-here.tsx";

const onward = {
  repairer: {
    place: "jobs",
    path: "/jobs",
    label: "Open jobs as this integration",
    next: "open a job and order from its basket.",
    icon: IconCar,
  },
  supplier: {
    place: "procurements",
    path: "/procurements",
    label: "Open procurements as this integration",
    next: "open an order and confirm it.",
    icon: IconArrowsExchange,
  },
} as const;

interface Onward {
  readonly href: string;
  readonly label: string;
  readonly icon: IconOf;
}

/** What to do with a new key: first what it was made for, then what it is good for. */
export const NextSteps = ({ side, installed, onAgain }: { side: Side; installed: Installed; onAgain: () => void }) => {
  const [, navigate] = useLocation();
  const { choose } = useActAs(side);
  const back = useWayBack();
  const [copied, copyEnv] = useCopied(envText(installed, window.location.origin, useWorld()), "the .env lines");
  const { place, path, label, next, icon } = onward[side];
  const ways: readonly Onward[] = [
    ...(back ? [{ href: back.href, label: `Back to ${back.label}`, icon: IconArrowBackUp }] : []),
    ...(hasPlace(place) ? [{ href: path, label, icon }] : []),
  ];
  const go = ({ href }: Onward) => {
    choose(installed.integration_id);
    navigate(href);
  };
  const lookOf = (index: number): ButtonLook => (index === 0 ? "primary" : "default");
  return (
    <div className="install-next" data-next="">
      <div className="row wrap t12">
        <UsedHere side={side} integrationId={installed.integration_id} />
        <span className="ink">
          <b>Next:</b> {back ? `go back to ${back.label}.` : next}
        </span>
      </div>
      <div className="row wrap">
        {ways.map((way, index) => (
          <Button key={way.href} look={lookOf(index)} icon={way.icon} onClick={() => go(way)}>
            {way.label}
          </Button>
        ))}
      </div>
      <div className="row wrap">
        <SubscribeReceiver integrationId={installed.integration_id} />
        <Button small icon={IconCopy} onClick={copyEnv}>
          {copied ? "Copied" : "Copy as .env"}
        </Button>
        <Button small look="quiet" onClick={onAgain}>
          Install again
        </Button>
      </div>
    </div>
  );
};

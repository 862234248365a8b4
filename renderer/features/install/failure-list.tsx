import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../app/world.ts";
import { clockQuery } from "../../app/world-queries.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Origin } from "../../components/origin.tsx";
import { formatSpan } from "../../lib/formatting.ts";
import { useNow } from "../../lib/world-clock.ts";
import { type UsedUp, usedUpQuery } from "./demonstrations.ts";
import "./failures.css";
import { FailureRow } from "./failure-row.tsx";
import { failureCases } from "./failures.ts";
import { type Flow, flowQuery } from "./flow.ts";
import { useMoveClock } from "./mutations.ts";
import { useUsedCodeMaker } from "./used-code-maker.ts";

/** The world's clock when it is ahead, and the way back. */
const ClockAhead = () => {
  const { data: clock } = useQuery(clockQuery(useWorld()));
  const move = useMoveClock();
  if (!clock || clock.offset_seconds === 0) return null;
  return (
    <div className="install-clock" role="status">
      <Icon of={IconClock} size={14} />
      <span className="grow">This world’s clock is {formatSpan(clock.offset_seconds * 1000)} ahead of real time.</span>
      <Button small busy={move.isPending} onClick={() => move.mutate(null)}>
        Reset the clock
      </Button>
    </div>
  );
};

/** The running and the used code of a client: in either side's flow, or used up here. */
const codesOf = (client: Client, flows: readonly Flow[], usedUp: UsedUp | null, nowMs: number) => {
  const ofClient = flows.filter(({ code }) => code?.client_id === client.client_id);
  const live =
    ofClient.find(({ code, installed }) => code && !installed && new Date(code.expires_at).getTime() > nowMs)?.code ??
    null;
  const used =
    ofClient.find(({ installed }) => installed)?.code ?? (usedUp?.client_id === client.client_id ? usedUp : null);
  return { live, used };
};

/** Every way an install fails, in the order of the checks, each to be had with one click. */
export const FailureList = ({
  clients,
  organization,
  scope,
}: {
  clients: readonly Client[];
  organization: Organization;
  scope: Side;
}) => {
  const world = useWorld();
  const { data: buyer } = useQuery(flowQuery(world, "repairer"));
  const { data: supplier } = useQuery(flowQuery(world, "supplier"));
  const { data: usedUp } = useQuery(usedUpQuery(world));
  const [lastTried, setLastTried] = useState<string | null>(null);
  const now = useNow("world", 1000);
  const client = clients.find(({ oauth_enabled }) => oauth_enabled);
  const closedClient = clients.find(({ oauth_enabled }) => !oauth_enabled);
  const makeUsedCode = useUsedCodeMaker(client, scope);
  if (!client || !closedClient) return null;
  const { live, used } = codesOf(client, [buyer, supplier], usedUp, now);
  const context = {
    world,
    client,
    closedClient,
    scope,
    organizationId: organization.id,
    liveCode: live?.access_code ?? null,
    usedCode: used?.access_code ?? null,
    makeUsedCode,
  };
  return (
    <aside className="install-failures" aria-labelledby="install-failures">
      <div className="sec">
        <h2 id="install-failures">Ways it fails</h2>
        <span className="t12 t3">checked in this order</span>
      </div>
      <ClockAhead />
      <ol>
        {failureCases.map((failure, index) => (
          <FailureRow
            key={failure.id}
            failure={failure}
            number={failureCases[index - 1]?.check === failure.check ? null : failure.check}
            context={context}
            isLast={failure.id === lastTried}
            onTry={() => setLastTried(failure.id)}
            facts={{ liveUntil: live?.expires_at ?? null, hasUsedCode: used !== null }}
          />
        ))}
      </ol>
      <p className="install-failures-foot">
        There is no <span className="m11">invalid_client</span>. <Origin of="contract" />
      </p>
    </aside>
  );
};

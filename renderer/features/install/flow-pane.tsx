import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../app/world.ts";
import { Side as SideMark, sideClass, sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { useSendKey } from "../../components/use-keys.ts";
import { useUnheard } from "../../domain/delivery/subscribing.tsx";
import { useRanOut } from "./code-clock.tsx";
import { type Flow, flowQuery, useApprove, useInstallCall, useStartOver } from "./flow.ts";
import styles from "./install.module.css";
import { useInstall } from "./install-store.ts";
import { ResultStep } from "./result.tsx";
import { CodeDone, CodeStep, ConsentDone, ConsentSteps, InsertDone, InsertStep, Step } from "./steps.tsx";

/**
 * A step that was taken vanishes with its button; the focus goes on to the next step's, which also brings that into
 * view. Nothing moves when the pane is first drawn.
 */
const useFocusNext = (stage: string): RefObject<HTMLElement | null> => {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    pane.current?.querySelector<HTMLElement>("[data-next] button")?.focus();
  }, [stage]);
  return pane;
};

const Standing = ({ flow: { code, installed }, ranOut }: { flow: Flow; ranOut: boolean }) => {
  if (installed) return <State of="done">installed</State>;
  if (!code) return null;
  return ranOut ? <State of="failed">code ran out</State> : <State of="running">code running</State>;
};

interface FlowPaneProps {
  readonly side: Side;
  readonly client: Client;
  readonly organizations: readonly Organization[];
}

/** One side's install from choosing the organization to holding the key. */
export const FlowPane = ({ side, client, organizations }: FlowPaneProps) => {
  const { data: flow } = useQuery(flowQuery(useWorld(), side));
  const chosen = useInstall((state) => state.organizations[side]);
  const active = useInstall((state) => state.active === side);
  const activate = useInstall((state) => state.activate);
  const isHeard = useUnheard(flow.installed ? { ...flow.installed, scope: side } : undefined)?.length === 0;
  const approve = useApprove(side);
  const install = useInstallCall(side);
  const startOver = useStartOver(side);
  // Once shown: whoever left and came back finds the key masked.
  const [installedBefore] = useState(flow.installed?.integration_id);
  const ranOut = useRanOut(flow.code);
  const stage = flow.installed ? (isHeard ? "heard" : "installed") : flow.code ? "code" : "consent";
  const pane = useFocusNext(stage === "code" && ranOut ? "ran out" : stage);
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0];

  const onApprove = () => {
    if (organization && !approve.isPending) approve.mutate({ to: client, organization });
  };
  const onInstall = () => {
    if (!flow.code || install.isPending) return;
    install.mutate({
      access_code: flow.code.access_code,
      client_id: client.client_id,
      client_secret: client.client_secret ?? "",
    });
  };
  useSendKey(pane, "Install", {
    label: `Next step of the ${sideWord(side).toLowerCase()}’s install`,
    enabled: active && !flow.installed,
    run: flow.code && !ranOut ? onInstall : onApprove,
  });
  if (!organization) return null;
  const { code, installed, refused } = flow;
  const keys = active ? "mod+enter" : undefined;
  return (
    <section
      ref={pane}
      className={`${styles.flow} ${sideClass(side)}`}
      aria-label={`Install as ${sideWord(side).toLowerCase()}`}
      onFocusCapture={() => activate(side)}
    >
      <div className={`row ${styles.flowHead}`}>
        <h2 className="row el">
          {/* A code of the consent page names neither: whose it is, the install tells. */}
          {code?.organization_name !== "" && <SideMark side={side} />}
          <span className="t2 el">
            {code ? code.organization_name || "For whom was chosen on the consent page" : organization.name}
          </span>
        </h2>
        <span className="grow" />
        <Standing flow={flow} ranOut={ranOut} />
      </div>
      <ol className={styles.steps}>
        {code ? (
          <ConsentDone code={code} side={side} />
        ) : (
          <ConsentSteps
            side={side}
            client={client}
            organization={organization}
            organizations={organizations}
            busy={approve.isPending}
            error={approve.error}
            keys={keys}
            onApprove={onApprove}
          />
        )}
        {code && installed && (
          <>
            <CodeDone code={code} installed={installed} />
            <InsertDone installed={installed} />
            <ResultStep
              key={installed.integration_id}
              side={side}
              installed={installed}
              isHeard={isHeard}
              justNow={installed.integration_id !== installedBefore}
              onAgain={startOver}
            />
          </>
        )}
        {code && !installed && (
          <>
            <CodeStep code={code} onAnother={onApprove} busy={approve.isPending} />
            <InsertStep
              code={code}
              client={client}
              refused={refused}
              busy={install.isPending || approve.isPending}
              keys={keys}
              ranOut={ranOut}
              onInstall={onInstall}
              onAnother={onApprove}
            />
          </>
        )}
        {!code && (
          <>
            <Step number={3} stage="todo" title="Access code">
              <p className="t3">Single use, good for fifteen minutes.</p>
            </Step>
            <Step number={4} stage="todo" title={<span className="op">integrations.insert</span>}>
              <p className="t3">Client, secret and code, exchanged for a key.</p>
            </Step>
          </>
        )}
        {!installed && (
          <Step number={5} stage="todo" title="Key, integration id and webhook secret">
            <p className="t3">Shown here once the call answers 200.</p>
          </Step>
        )}
      </ol>
    </section>
  );
};

import { Box, Group, Paper, Stack, Text, Timeline } from "@mantine/core";
import { IconArrowBackUp, IconArrowsExchange, IconCar, IconCircleCheck, IconKey } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Client, Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Note } from "../../components/section.tsx";
import { Side as SideMark, sideClass, sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { useSendKey } from "../../components/use-keys.ts";
import { Origin } from "../../domain/decision/origin.tsx";
import { BothSides, useUnsubscribedIntegrations } from "../../domain/delivery/subscribing.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useActAs, useCredentials } from "../../kernel/credentials/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { focusOpenItem } from "../../lib/focus.ts";
import { useReturnLink } from "./arrival.ts";
import { useCodeExpired } from "./code-clock.tsx";
import { CredentialValues } from "./credentials.tsx";
import { envText, type Installed, type Installing, useInstalling } from "./flow.ts";
import { useInstall } from "./install-store.ts";
import { CodeDone, CodeStep, ConsentDone, ConsentSteps, InsertDone, InsertStep, Step } from "./steps.tsx";

const onward = {
  repairer: {
    path: "/jobs",
    label: "Open jobs as this integration",
    next: "open a job and order from its basket.",
    icon: IconCar,
  },
  supplier: {
    path: "/procurements",
    label: "Open the orders as this integration",
    next: "open an order and confirm it.",
    icon: IconArrowsExchange,
  },
} as const;

const done = <Icon of={IconCircleCheck} size={14} />;

interface ResultProps {
  readonly side: Side;
  readonly installed: Installed;
  /** True if both sides have a receiver. */
  readonly isHeard: boolean;
  /** True if the key was just issued, and is shown in clear. */
  readonly justNow: boolean;
  readonly onAgain: () => void;
}

/** Next steps after an install: back to the requesting place, a receiver before any event, then uses of the key. */
const NextSteps = ({ side, installed, isHeard, onAgain }: Omit<ResultProps, "justNow">) => {
  const [, navigate] = useLocation();
  const { credential: acting, choose } = useActAs(side);
  const back = useReturnLink();
  const env = envText(installed, window.location.origin, useWorld());
  const { path, label, next, icon } = onward[side];
  const own = useCredentials().data?.find(({ integration_id }) => integration_id === installed.integration_id);
  const href = side === "repairer" && own ? hrefs.jobsOf(own.organization_id) : path;
  // With another key of that side, the pair may have no subscription.
  const other = sideWord(side === "repairer" ? "supplier" : "repairer").toLowerCase();
  const go = (href: string) => {
    choose(installed.integration_id);
    navigate(href);
  };
  return (
    <Stack mt="xs" data-next="">
      <Text component="p" c="bright">
        <Text component="b" fw={500}>
          Next:
        </Text>{" "}
        {back
          ? `go back to ${back.label}.`
          : isHeard
            ? next
            : `subscribe both sides, this key and the ${other}’s in use, to receive events for your first order.`}
      </Text>
      <Group wrap="wrap">
        {back && (
          <Button look="primary" icon={IconArrowBackUp} onClick={() => go(back.href)}>
            Back to {back.label}
          </Button>
        )}
        <BothSides installed={{ ...installed, scope: side }} primary={!back} />
        <Button look={isHeard && !back ? "primary" : "default"} icon={icon} onClick={() => go(href)}>
          {label}
        </Button>
      </Group>
      {acting?.integration_id === installed.integration_id && (
        <Note icon={done}>This window now calls as the {sideWord(side).toLowerCase()} with this key.</Note>
      )}
      {isHeard && (
        <Note icon={done}>Both sides are subscribed to the test receiver: this key and the {other}’s in use.</Note>
      )}
      <Group wrap="wrap">
        <CopyButton text={env} what="the .env lines" label="Copy as .env" />
        <Button small look="quiet" onClick={onAgain}>
          Install again
        </Button>
      </Group>
    </Stack>
  );
};

/** Step 5: the key, in clear when new, with the next steps. */
export const ResultStep = ({ justNow, ...rest }: ResultProps) => {
  const { installed } = rest;
  const [isKept, setKept] = useState(false);
  const fresh = justNow && !isKept;
  return (
    <Step number={5} stage="done" title="Key, integration ID and webhook secret">
      <Paper
        withBorder
        px="md"
        py="sm"
        style={fresh ? { borderColor: "var(--accent-line)", background: "var(--accent-tint)" } : undefined}
      >
        {fresh && (
          <Stack gap="xs" mb="sm">
            <Group>
              <Icon of={IconKey} size={14} />
              <Text component="b" flex={1} miw={0} fw={500} c="bright">
                Copy these values now
              </Text>
              <Button small look="quiet" onClick={() => setKept(true)}>
                Done
              </Button>
            </Group>
            <p>They are masked afterwards. You can copy them again from the credentials list.</p>
          </Stack>
        )}
        <CredentialValues values={installed} shown={fresh} />
      </Paper>
      <Note>
        {installed.webhook_secret === null
          ? "Couldn’t read the webhook secret. It is in the credentials list. "
          : "The sandbox keeps all three in the credentials list, masked. "}
        The secret comes from <Text variant="mono">/__webhooks/secret</Text>. <Origin of="extension" />
      </Note>
      <NextSteps {...rest} />
    </Step>
  );
};

/**
 * Moves the focus to the next step when a step disappears with its button, and scrolls it into view. On the first
 * render, only after a return from the consent page.
 */
const useFocusNext = (stage: string, isBack: boolean): RefObject<HTMLElement | null> => {
  const pane = useRef<HTMLElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    const next = pane.current?.querySelector<HTMLElement>("[data-next] button") ?? null;
    if (before.current !== stage) next?.focus();
    else if (isBack && next) {
      focusOpenItem(next);
      // A later visit of the place isn't a return from the consent page.
      useInstall.setState(({ returned }) => ({ returned: returned && { ...returned, isSeen: true } }));
    }
    before.current = stage;
  }, [stage, isBack]);
  return pane;
};

const Standing = ({ of: { code, installed }, hasExpired }: { of: Installing; hasExpired: boolean }) => {
  if (installed) return <State of="done">installed</State>;
  if (!code) return null;
  return hasExpired ? <State of="failed">code expired</State> : <State of="running">code active</State>;
};

interface FlowPaneProps {
  readonly side: Side;
  readonly client: Client;
  readonly organization: Organization;
  /** Organizations of the side. */
  readonly organizations: readonly Organization[];
}

/** One side's install, from the choice of an organization to its key. */
export const FlowPane = ({ side, client, organization, organizations }: FlowPaneProps) => {
  const installing = useInstalling(side, client, organization);
  const { code, installed, approve, install } = installing;
  const isHeard = useUnsubscribedIntegrations(installed ? { ...installed, scope: side } : undefined)?.length === 0;
  // Shown once: after leaving and returning, the key is masked.
  const [installedBefore] = useState(installed?.integration_id);
  const hasExpired = useCodeExpired(code);
  const stage = installed ? (isHeard ? "heard" : "installed") : code ? "code" : "consent";
  const isBack = useInstall((state) => state.returned?.side === side && !state.returned.isSeen);
  const pane = useFocusNext(stage === "code" && hasExpired ? "ran out" : stage, isBack);
  useSendKey(pane, "Install", {
    label: `Next step of the ${sideWord(side).toLowerCase()}’s install`,
    alone: true,
    enabled: !installed,
    run: code && !hasExpired ? install : approve,
  });
  return (
    <Box
      component="section"
      ref={pane}
      flex={1}
      px="lg"
      pb="lg"
      className={sideClass(side)}
      aria-label={`Install as ${sideWord(side).toLowerCase()}`}
    >
      <Group h={44} mx={-16} mb="md" px="lg" bg="var(--canvas)" style={{ borderBottom: "2px solid var(--s)" }}>
        <Group component="h2" style={{ overflow: "hidden", whiteSpace: "nowrap", font: "var(--t-13)" }}>
          {/* A code of the consent page names no organization before the install. */}
          {code?.organization_name !== "" && <SideMark side={side} />}
          <Text c="secondary" truncate>
            {code ? code.organization_name || "Organization chosen on the consent page" : organization.name}
          </Text>
        </Group>
        <Box component="span" flex={1} />
        <Standing of={installing} hasExpired={hasExpired} />
      </Group>
      <Timeline maw={720} ml={10}>
        <FlowSteps
          of={installing}
          organizations={organizations}
          isHeard={isHeard}
          hasExpired={hasExpired}
          justNow={installed?.integration_id !== installedBefore}
        />
      </Timeline>
    </Box>
  );
};

interface FlowStepsProps extends Pick<FlowPaneProps, "organizations">, Pick<ResultProps, "isHeard" | "justNow"> {
  readonly of: Installing;
  readonly hasExpired: boolean;
}

/** Completed steps, and descriptions of later ones. */
const FlowSteps = ({ of: installing, organizations, isHeard, hasExpired, justNow }: FlowStepsProps) => {
  const { side, code, installed, startOver } = installing;
  return (
    <>
      {code ? <ConsentDone code={code} side={side} /> : <ConsentSteps of={installing} organizations={organizations} />}
      {code && installed && (
        <>
          <CodeDone code={code} installed={installed} />
          <InsertDone installed={installed} />
          <ResultStep
            key={installed.integration_id}
            side={side}
            installed={installed}
            isHeard={isHeard}
            justNow={justNow}
            onAgain={startOver}
          />
        </>
      )}
      {code && !installed && (
        <>
          <CodeStep code={code} of={installing} />
          <InsertStep code={code} of={installing} hasExpired={hasExpired} />
        </>
      )}
      {!code && (
        <>
          <Step number={3} stage="todo" title="Access code">
            Single use, valid for 15 minutes.
          </Step>
          <Step number={4} stage="todo" title={<span className="op">integrations.insert</span>}>
            Exchanges the client ID, secret and code for a key.
          </Step>
        </>
      )}
      {!installed && (
        <Step number={5} stage="todo" title="Key, integration ID and webhook secret">
          Shown after the call returns 200.
        </Step>
      )}
    </>
  );
};

import { Box, Group, Paper, Progress, Stack, Text, Timeline } from "@mantine/core";
import { IconCheck, IconCircleCheck, IconClock, IconSend } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Organization, Side } from "../../../sandbox/contract/control/rows.ts";
import { maskSecret } from "../../../sandbox/contract/known-secrets.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Refusal, Refused } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { Icon } from "../../components/icon.tsx";
import { Id } from "../../components/id.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { Side as SideMark, sideWord } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { RequestPreview } from "../../domain/exchange/request-preview.tsx";
import { useMoveClock } from "../../domain/world/move-clock.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatCountdown, formatSpan } from "../../lib/formatting.ts";
import { useWorldAhead } from "../../lib/world-clock.ts";
import { consentAddress, goToConsentPage } from "./arrival.ts";
import { useCodeClock } from "./code-clock.tsx";
import {
  CODE_LIFETIME_MS,
  type Installed,
  type Installing,
  type IssuedCode,
  issuedAt,
  type RefusedInstall,
} from "./flow.ts";
import { chooseOrganization, useInstall } from "./install-store.ts";
import { ViewCall } from "./view-call.tsx";

type StepStage = "done" | "now" | "todo";

const stageLabels: Record<StepStage, string> = { done: "done", now: "current step", todo: "not started" };

/** A step of an install: number or tick, summary on the right, content below. */
export const Step = ({
  number,
  stage,
  title,
  aside,
  children,
  ...item
}: {
  number: number;
  stage: StepStage;
  title: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}) => (
  <Timeline.Item
    {...item}
    data-done={stage === "done"}
    aria-current={stage === "now" ? "step" : undefined}
    bullet={<span aria-hidden="true">{stage === "done" ? <Icon of={IconCheck} size={12} /> : number}</span>}
    title={
      <Group component="h3" c={stage === "todo" ? "dimmed" : "bright"}>
        {title}
        <span className="sr">, {stageLabels[stage]}</span>
        {aside && (
          <Text variant="aside" ml="auto">
            {aside}
          </Text>
        )}
      </Group>
    }
  >
    <Stack fz="sm" lh="sm" c="secondary">
      {children}
    </Stack>
  </Timeline.Item>
);

const returnedText = {
  denied: (
    <>
      <State of="refused">denied</State> The consent page returned <Text variant="mono">error=access_denied</Text>. No
      code was issued.
    </>
  ),
  foreign: (
    <>
      <State of="refused">ignored</State> The returned <Text variant="mono">state</Text> doesn’t match, so the code was
      ignored. A partner’s app must ignore such a code too: it may belong to someone else.
    </>
  ),
} as const;

/** Example values of a partner's own app. */
const examplePartner = { redirect_uri: "http://127.0.0.1:5173/callback", state: "choose-your-own" };

/**
 * Steps 1 and 2 before the approval: the organization, and the consent that the sandbox gives instead of the platform.
 */
export const ConsentSteps = ({
  of: { side, client, organization, isApproving, notApproved, approve },
  organizations,
}: {
  of: Installing;
  organizations: readonly Organization[];
}) => {
  const world = useWorld();
  const returned = useInstall((state) => state.returned);
  return (
    <>
      <Step number={1} stage="now" title="Organization and scope">
        <Group wrap="wrap" align="start" gap="lg">
          <SelectField
            label="Organization"
            value={organization.id}
            options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => id && chooseOrganization(side, id)}
          />
          <div className="field">
            <span className="field-label">Scope</span>
            <Group component="span" mih={28}>
              <SideMark side={side} />
              <Text variant="mono" c="dimmed">
                {side}
              </Text>
            </Group>
          </div>
        </Group>
      </Step>
      <Step number={2} stage="now" title="Consent" aside={<Origin of="assumption" id="D21" />}>
        <Paper withBorder px="md" py={10} style={{ borderLeft: "2px solid var(--s)" }}>
          <Text component="p" c="bright" mb="sm">
            <b>{client.name}</b> asks to act for <b>{organization.name}</b> as {sideWord(side).toLowerCase()}, scope{" "}
            <Text variant="mono">{side}</Text>.
          </Text>
          <Text component="p" c="dimmed" mb="sm">
            On the platform, someone at the organization approves this and is redirected to the partner’s app with{" "}
            <Text variant="mono">code</Text> and <Text variant="mono">state</Text>. The contract doesn’t define these
            steps. Here, approve in the sandbox or on its consent page.
          </Text>
          <Group component="p" gap="xs" c="dimmed">
            <span>
              A partner’s app starts at <Text variant="mono">/__oauth/authorize</Text>.
            </span>
            <CopyButton
              text={consentAddress({ client_id: client.client_id, ...examplePartner }, window.location.origin, world)}
              what="the address for a partner’s app"
            />
          </Group>
        </Paper>
        <Refused error={notApproved} />
        {returned?.side === side && returned.kind !== "code" && (
          <Text component="p" size="sm">
            {returnedText[returned.kind]}
          </Text>
        )}
        <Group wrap="wrap" data-next="">
          <Button look="primary" icon={IconCircleCheck} keys="mod+enter" busy={isApproving} onClick={approve}>
            Approve
          </Button>
          <Button onClick={() => goToConsentPage(client, side, world)}>Open consent page</Button>
        </Group>
      </Step>
    </>
  );
};

/** Steps 1 and 2 after the code was issued. */
export const ConsentDone = ({ code, side }: { code: IssuedCode; side: Side }) => (
  <>
    <Step number={1} stage="done" title="Organization and scope">
      <p>
        {code.organization_name ? (
          <>
            {code.organization_name}, <Text variant="mono">{side}</Text>
          </>
        ) : (
          "Chosen on the consent page. The redirect doesn’t name it."
        )}
      </p>
    </Step>
    <Step number={2} stage="done" title="Consent" aside={<Time at={issuedAt(code)} as="clock" />}>
      <p>
        {code.from === "page"
          ? "Approved on the consent page; redirected with code and state."
          : "Approved by the sandbox."}{" "}
        <Origin of="assumption" id="D21" />
      </p>
    </Step>
  </>
);

/** Step 3: the code with its countdown, and ways to see an expiry. */
export const CodeStep = ({ code, of: { approve, isApproving } }: { code: IssuedCode; of: Installing }) => {
  const { leftMs, fraction, hasExpired } = useCodeClock(code.expires_at);
  const clock = useMoveClock({ showsNotice: false });
  // With a moved clock, the time already names its clock.
  const ahead = useWorldAhead();
  return (
    <Step number={3} stage="now" title="Access code" aside="single use">
      <Paper withBorder px="md" py={10} className={hasExpired ? "bad" : "wait"}>
        <Group c="bright">
          <Text variant="code" fw={500} style={{ overflowWrap: "anywhere" }}>
            {code.access_code}
          </Text>
          <CopyButton text={code.access_code} what="access code" />
          <Box component="span" flex={1} />
          {hasExpired ? (
            <State of="failed">expired</State>
          ) : (
            <Box style={{ whiteSpace: "nowrap" }} component="span" fw={600} fz={20} lh="24px">
              {formatCountdown(Math.min(CODE_LIFETIME_MS, leftMs))}
            </Box>
          )}
        </Group>
        <Progress value={fraction * 100} color="var(--ci)" my={6} aria-hidden="true" />
        <Group wrap="wrap" variant="aside">
          <span>
            issued <Time at={issuedAt(code)} as="clock" />
          </span>
          <Box component="span" flex={1} />
          <span>
            {hasExpired ? "expired" : "expires"} <Time at={code.expires_at} as="clock" />
            {ahead === 0 && ", world clock"} <Origin of="assumption" id="D22" />
          </span>
        </Group>
      </Paper>
      <Group wrap="wrap">
        {!hasExpired && (
          <>
            <Button
              small
              icon={IconClock}
              needs="manage"
              busy={clock.isPending}
              title={`Moves the world’s clock ${formatSpan(leftMs + 1000)} ahead. Everything in this world follows it.`}
              onClick={() => clock.mutate(Math.ceil(leftMs / 1000) + 1)}
            >
              Let it expire
            </Button>
            <Button small look="quiet" busy={isApproving} onClick={approve}>
              Issue another code
            </Button>
          </>
        )}
      </Group>
    </Step>
  );
};

/** Step 3 after the install used the code. */
export const CodeDone = ({ code, installed }: { code: IssuedCode; installed: Installed }) => {
  // Rounded, so that both durations add up to the code's lifetime.
  const after = Math.round((Date.parse(installed.at) - Date.parse(issuedAt(code))) / 1000) * 1000;
  return (
    <Step number={3} stage="done" title="Access code" aside={<Time at={installed.at} as="clock" />}>
      <p>
        <Id value={code.access_code} what="access code" />{" "}
        {after <= 0 ? "used immediately" : `used after ${formatSpan(after)}`}
      </p>
    </Step>
  );
};

/** Fixes for a refusal, by code. */
const advice: Readonly<Record<string, string>> = {
  invalid_access_code: "The code was used, or belongs to another client. Issue another one.",
  o_auth_not_supported_by_integration:
    "This client isn’t enabled for OAuth install. Choose another client. The code wasn’t used.",
};

const adviceOn = ({ failure, hadExpired }: RefusedInstall): string | undefined =>
  hadExpired && failure.code === "invalid_access_code" ? "The code expired. Issue another one." : advice[failure.code];

/** Step 4: the request of the install, and its response when refused. */
export const InsertStep = ({
  code,
  of: { client, refused, approve, isApproving, install, isInstalling },
  hasExpired,
}: {
  code: IssuedCode;
  of: Installing;
  hasExpired: boolean;
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
    {/* After the clock moved back, the code is valid again. */}
    {refused && !(refused.hadExpired && !hasExpired) && (
      <div className="bad toned refused">
        <Refusal failure={refused.failure}>
          {adviceOn(refused) && <Text variant="note">{adviceOn(refused)}</Text>}
        </Refusal>
      </div>
    )}
    <Group wrap="wrap" data-next="">
      {hasExpired && (
        <Button look="primary" icon={IconCircleCheck} keys="mod+enter" busy={isApproving} onClick={approve}>
          Issue another code
        </Button>
      )}
      <Button
        look={hasExpired ? "default" : "primary"}
        icon={IconSend}
        busy={isInstalling || isApproving}
        onClick={install}
        {...(hasExpired ? {} : { keys: "mod+enter" })}
      >
        Install
      </Button>
      <Text variant="aside">The only operation without credential headers.</Text>
    </Group>
  </Step>
);

/** Step 4 after a 200. */
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
      <Group component="span">
        <ViewCall requestId={installed.request_id} of="integrations.insert" />
      </Group>
    }
  />
);

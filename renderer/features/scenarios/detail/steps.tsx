import { Box, Group, Stack, Table, Text } from "@mantine/core";
import {
  IconAdjustments,
  IconAntenna,
  IconArrowDown,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconCircleDashed,
  IconPlayerTrackNext,
  IconSend,
  IconWebhook,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import type { Run, RunStep, ScenarioRow } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { RecordedResult, Scenario, Step } from "../../../../sandbox/contract/scenario.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Refused } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import type { ConsoleCall } from "../../../domain/exchange/console-call.ts";
import { OperationName } from "../../../domain/exchange/operation.tsx";
import { usePendingCall } from "../../../domain/exchange/pending-call.ts";
import { useKeepScenario } from "../../../domain/scenario/keeping.ts";
import { expectedStatus, stepKind, stepTarget, stepTitle } from "../../../domain/scenario/step-words.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { credentialsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { restoreFocus } from "../../../lib/focus.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { useStepRun } from "../mutations.ts";
import { currentStatus, isSameFile, withExpectedStatus } from "../run-words.ts";
import styles from "../scenarios.module.css";
import { ExpectedResult, StepCaller } from "./step-parts.tsx";
import { WholeStep } from "./whole-step.tsx";

const icons = { call: IconSend, control: IconAdjustments, receiver: IconAntenna, deliveries: IconWebhook } as const;
const kinds = {
  call: "call",
  control: "control plane",
  receiver: "built-in receiver",
  deliveries: "notifications",
} as const;

const valueText = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** The recorded result, and the expected one if its status differs. */
const RecordedCell = ({ came, step }: { came: RecordedResult; step: Step }) => (
  <>
    <HttpStatus status={came.status} />
    {expectedStatus(step) !== came.status && (
      <Text variant="note" truncate>
        now expected: <ExpectedResult step={step} />
      </Text>
    )}
  </>
);

/** @param props.call the recorded call, if it still exists */
const CurrentCell = ({ result, call }: { result: RunStep; call: string | null }) => {
  const here = useWorld();
  const status = currentStatus(result);
  return (
    <>
      {status === null ? (
        <Text size="sm" truncate>
          {result.detail || "nothing"}
        </Text>
      ) : (
        <HttpStatus status={status} />
      )}
      {result.by !== "scenario" && (
        <Text variant="note" truncate>
          called by {result.by}
        </Text>
      )}
      {call !== null && (
        <Text size="sm" truncate>
          <TextLink
            href={namingWorld(hrefs.request(call), result.world)}
            title={result.world === here ? undefined : `This window goes to the world ${result.world}`}
          >
            Go to the call{result.world !== here && <span className="sr"> in {result.world}</span>}
          </TextLink>
        </Text>
      )}
    </>
  );
};

const marks = {
  held: [IconCheck, "passed", "ok"],
  differs: [IconX, "failed", "bad"],
  not_run: [IconCircleDashed, "not run", "off"],
} as const;

const Mark = ({ result }: { result: RunStep | undefined }) => {
  const [icon, word, tone] = marks[result?.outcome ?? "not_run"];
  return (
    <span className={`st ${tone}`} title={word}>
      <Icon of={icon} size={14} />
      <span className="sr">{word}</span>
    </span>
  );
};

const wholeText = (text: string) => (
  <Text key={text} variant="mono" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
    {text}
  </Text>
);

/** The first difference: expected and actual value, with explanations. */
const Difference = ({ result }: { result: RunStep }) => (
  <Stack component="section" className={styles.below} aria-label="First difference">
    {result.difference && (
      <Table
        data={{
          head: ["First difference", "Expected", "Actual"],
          body: [
            [
              result.difference.path || "the step",
              valueText(result.difference.expected),
              valueText(result.difference.got),
            ].map(wholeText),
          ],
        }}
      />
    )}
    {result.explained.map((sentence) => (
      <Text key={sentence} component="p" size="sm">
        Cause: {sentence}.
      </Text>
    ))}
    {result.decision && (
      <Text component="p" size="sm">
        Based on <Origin of="assumption" id={result.decision.id} switchable={result.decision.policy !== null} />:{" "}
        {result.decision.meaning.replaceAll("`", "")}
      </Text>
    )}
  </Stack>
);

const keyText = (step: Step, credential: string | null) => {
  if (step.call?.as === "repairer") return ", with the buyer’s pre-loaded key";
  if (step.call?.as === "supplier") return ", with the supplier’s pre-loaded key";
  return credential === null ? null : (
    <>
      , as the integration <Text variant="mono">{credential}</Text>
    </>
  );
};

const consoleCall = (
  step: Step,
  integration: string | null,
  credentials: readonly Credential[],
): ConsoleCall | null => {
  const call = step.call ?? step.control;
  if (call?.operation === undefined) return null;
  const { operation, body } = call;
  const as = step.call?.as;
  const own = integration ?? credentials.find(({ preloaded, scope }) => preloaded && scope === as)?.integration_id;
  return {
    ...{ operation, headers: [], body: JSON.stringify(body ?? {}, null, 2) },
    actAs: own === undefined ? { kind: "none" } : { kind: "credential", integration_id: own },
  };
};

/** Step by step: the next step and its possible callers. */
const Waiting = ({ run, next }: { run: Run; next: NonNullable<Run["next"]> }) => {
  const step = useStepRun(run.id);
  const nextStep = next.step as Step;
  const { data: credentials = [] } = useQuery(credentialsQuery(next.world));
  const offer = usePendingCall((state) => state.offer);
  const acts = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    acts.current?.closest("li")?.scrollIntoView({ block: "nearest" });
    // The previous step's button disappears, so the next one takes focus.
    restoreFocus(acts.current?.querySelector("button"));
  }, []);
  const call = next.problem === null ? consoleCall(nextStep, next.credential, credentials) : null;
  const body = nextStep.call?.body ?? nextStep.control?.body;
  return (
    <Stack component="section" className={styles.below} aria-label="What to do now">
      {next.problem !== null && (
        <Text component="p" size="sm">
          {next.problem}
        </Text>
      )}
      <Text component="p" size="sm">
        {nextStep.deliveries ? "Done when the notifications arrive." : "Done when this call arrives, from any client."}{" "}
        In the world <TextLink href={namingWorld(hrefs.world(next.world), next.world)}>{next.world}</TextLink>
        {keyText(nextStep, next.credential)}.
      </Text>
      {body !== undefined && <JsonView value={body} label="the body" lineNumbers={false} foldFrom={3} />}
      <Group ref={acts} wrap="wrap">
        <Button
          small
          look="primary"
          icon={IconPlayerTrackNext}
          busy={step.isPending}
          onClick={() => step.mutate(next.number)}
        >
          Run this step
        </Button>
        <Button small disabled={step.isPending} onClick={() => step.mutate(run.steps)}>
          Run remaining steps
        </Button>
        {call !== null && (
          <TextLink href={namingWorld(hrefs.console(call.operation), next.world)} onFollow={() => offer(call)}>
            Open in the Console
          </TextLink>
        )}
      </Group>
    </Stack>
  );
};

/** Step by step: runs all steps up to this one. */
const RunToStep = ({ run, number }: { run: Run; number: number }) => {
  const step = useStepRun(run.id);
  return (
    <Button small look="quiet" busy={step.isPending} onClick={() => step.mutate(number)}>
      <span className="sr">Run up to here</span>
      <span aria-hidden="true">Up to here</span>
    </Button>
  );
};

/** Number of steps that are surely visible without scrolling. */
const MAX_VISIBLE_STEPS = 5;

const stepId = (number: number): string => `step-${number}`;

/** Scrolls to the failed step and continues from there. */
const scrollToStep = (number: number) => {
  const row = document.getElementById(stepId(number));
  row?.scrollIntoView({ block: "center" });
  row?.focus({ preventScroll: true });
};

interface RowProps {
  readonly of: StepsOf;
  readonly number: number;
  readonly step: Step;
  readonly run: Run | undefined;
  readonly result: RunStep | undefined;
  readonly isThere: boolean;
  /** Changes the expected status; undefined when the file isn't editable or its steps have changed. */
  readonly onExpect: ((status: number) => void) | undefined;
}

const StepRow = ({ of: { name, scenario }, number, step, run, result, isThere, onExpect }: RowProps) => {
  const kind = stepKind(step);
  const operation = stepTarget(step);
  const waits = run?.next?.number === number ? run.next : null;
  const isAhead = run?.next != null && number > run.next.number;
  const [isWhole, showWhole] = useState(false);
  const title = stepTitle(step);
  // Control steps and receivers have traces, too, but aren't recorded calls.
  const call = (step.call && isThere && result?.trace_id) || null;
  const branch = call
    ? { title, name, world: result?.world ?? "", id: call }
    : { title, name, scenario, number, policies: run?.policies ?? {} };
  return (
    <li
      id={stepId(number)}
      tabIndex={-1}
      className={`${styles.step} ${result?.outcome === "differs" ? "toned bad" : ""}`}
      data-chosen={waits !== null || undefined}
      aria-current={waits ? "step" : undefined}
    >
      <Text variant="aside" ta="right">
        {number}
      </Text>
      <Text c="dimmed">
        <Icon of={icons[kind]} size={14} />
      </Text>
      <Stack gap={0} miw={0}>
        <Text component="b" fw={500} style={{ overflowWrap: "anywhere" }}>
          {stepTitle(step)}
        </Text>
        <Group component="span" variant="aside">
          <StepCaller step={step} />
          {operation === null ? kinds[kind] : <OperationName name={operation} />}
          {step.world !== undefined && <Text textWrap="nowrap">in {step.world}</Text>}
        </Group>
      </Stack>
      <Stack gap={0} miw={0}>
        {step.came ? <RecordedCell came={step.came} step={step} /> : <ExpectedResult step={step} />}
      </Stack>
      {run && (
        <Stack gap={0} miw={0} align={isAhead ? "flex-start" : "stretch"}>
          {result ? (
            <CurrentCell result={result} call={call} />
          ) : isAhead ? (
            <RunToStep run={run} number={number} />
          ) : (
            <Text variant="aside">not run</Text>
          )}
        </Stack>
      )}
      <IconButton
        small
        icon={isWhole ? IconChevronDown : IconChevronRight}
        label={`The whole step ${number}`}
        aria-expanded={isWhole}
        onClick={() => showWhole(!isWhole)}
      />
      <Mark result={result} />
      {result?.outcome === "differs" && <Difference result={result} />}
      {waits && run && <Waiting run={run} next={waits} />}
      {isWhole && <WholeStep step={waits ? (waits.step as Step) : step} {...{ branch, result, onExpect }} />}
    </li>
  );
};

type StepsOf = Pick<ScenarioRow, "name" | "source"> & { readonly scenario: Scenario };

const isSameCall = (one: Step | undefined, other: Step): boolean =>
  one !== undefined && JSON.stringify([one.call, one.control]) === JSON.stringify([other.call, other.control]);

/** Every step with its expected or recorded result and the current one. */
export const Steps = ({ file, run }: { file: StepsOf; run: Run | undefined }) => {
  const { name, source, scenario } = file;
  const keep = useKeepScenario();
  const isThere = ({ world }: RunStep) => run?.worlds.includes(world) === true;
  const ran = run ? (run.scenario as Scenario) : scenario;
  const recorded = ran.recorded !== undefined;
  const differs = run?.differs_at ?? 0;
  return (
    <section className={styles.steps} data-ran={run && ""} aria-label="Steps">
      {run && !isSameFile(run.scenario, scenario) && (
        <Box fz="sm" lh="sm" component="p" py="sm" px="lg" bg="var(--wait-tint)" c="var(--wait-text)">
          You changed the file after this run. These are the steps that ran. Run it again to check the changed file.
        </Box>
      )}
      <Refused error={keep.error} />
      {differs > MAX_VISIBLE_STEPS && (
        <Box component="p" py="sm" px="lg">
          <Button small icon={IconArrowDown} onClick={() => scrollToStep(differs)}>
            Go to the first failure
          </Button>
        </Box>
      )}
      <div className={styles.heads} aria-hidden="true">
        <span>Step</span>
        <span>{recorded ? "Recorded" : "Expected"}</span>
        {run && <span>Actual</span>}
      </div>
      <ol>
        {ran.steps.map((step, index) => {
          const result = run?.results.find(({ number }) => number === index + 1);
          const isEdited = source === "own" && isSameCall(scenario.steps[index], step);
          const expectStatus = (status: number) =>
            keep.mutate({ name, scenario: withExpectedStatus(scenario, index, status), replace: true });
          return (
            <StepRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
              key={index}
              of={{ name, source, scenario: { ...scenario, steps: ran.steps } }}
              number={index + 1}
              step={step}
              run={run}
              result={result}
              isThere={result !== undefined && isThere(result)}
              onExpect={isEdited ? expectStatus : undefined}
            />
          );
        })}
      </ol>
    </section>
  );
};

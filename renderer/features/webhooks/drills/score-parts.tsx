import { Box, Group } from "@mantine/core";
import {
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconMinus,
  IconPlayerPlay,
  IconPlayerStop,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Drill } from "../../../../sandbox/contract/control/receiver-rows.ts";
import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Facts } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { State, toneOf } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import shared from "../webhooks.module.css";
import { whereTo } from "../where-to.tsx";
import styles from "./drills.module.css";
import { type Drilling, drillQuery } from "./run-drills.ts";
import { answersOf, type Card, type Line, lineWords, markOf, scoreWords, UNPROVEN } from "./score.ts";

/** What each way a drill stands is called, with the state it looks like; one that was not run has an icon of its own. */
const looks = {
  passed: { state: "passed", icon: IconCheck, word: "passed" },
  failed: { state: "refused", icon: IconX, word: "failed" },
  not_run: { state: "skipped", icon: IconCircleDashed, word: "not run" },
  unproven: { state: "skipped", icon: IconMinus, word: "inconclusive" },
  running: { state: "running", icon: IconClock, word: "running" },
} as const;

export const lookOf = (line: Line) => looks[line.running ? "running" : markOf(line)];

interface LineProps {
  readonly line: Line;
}

/** How a drill stands, as an icon in its colour; the word is for screen readers, the line beside it says more. */
export const DrillMark = ({ line }: LineProps) => {
  const { state, icon, word } = lookOf(line);
  return (
    <span className={`${styles.mark} ${toneOf(state)}`}>
      <Icon of={icon} size={14} />
      <span className="sr">{word}: </span>
    </span>
  );
};

/** The bytes of a line's latest result, once they are read. */
const useLatest = ({ latest }: Line): Drill | undefined =>
  useQuery({ ...drillQuery(useWorld(), latest?.id ?? ""), enabled: latest !== null }).data;

/** What this receiver answered to a drill's requests. A 401 is right where one is due: the colour is the verdict's. */
export const Answers = ({ line }: LineProps) => {
  const drill = useLatest(line);
  if (!drill) return null;
  const answers = answersOf(drill);
  const [first] = answers;
  const same = answers.every((answer) => answer === first);
  return (
    <span className={`m w5 nw ${styles.answers} ${toneOf(looks[markOf(line)].state)}`}>
      <span className="sr">answered </span>
      {same ? first : answers.join(", ")}
      {same && answers.length > 1 && <span className="t3"> ×{answers.length}</span>}
    </span>
  );
};

export const LineWords = ({ line }: LineProps) => {
  const drill = useLatest(line);
  return <span title={line.latest?.sentence}>{line.running ? "running" : lineWords(line, drill)}</span>;
};

/** The rule a right answer follows from: the contract asks for the 200 and the refusal, D78 for which refusal. */
const Must = ({ expected }: { expected: Drill["expected"] }) =>
  expected.answer === "acknowledge" ? (
    <>
      <b className="m">200</b> <span className="t2">acknowledges it</span> <Origin of="contract" />
    </>
  ) : (
    <>
      <b className="m">4xx</b> <span className="m11">{expected.reason}</span>{" "}
      <span className="t2">refuses it; the test receiver answers {expected.status}</span>{" "}
      <Origin of="assumption" id="D78" />
    </>
  );

/** What this receiver answered, and the verdict on it. */
const Did = ({ line }: LineProps) => {
  const { latest, running } = line;
  if (running) return <State of="running" />;
  if (latest === null) return <span className="t3">not run yet</span>;
  return (
    <>
      <Answers line={line} />{" "}
      <span className={latest.verdict === "failed" ? shared.failed : "t2"}>
        {markOf(line) === "unproven" ? UNPROVEN : latest.sentence}
      </span>
    </>
  );
};

/** What a drill sends and why, what is right and what came, and what it was made from. */
export const DrillWords = ({ line }: LineProps) => {
  const { latest } = line;
  const { sends, why } = drills[line.drill];
  return (
    <>
      <p className="ink">{sends}</p>
      <p className="t12 t2">{why}</p>
      <Facts
        rows={[
          ["A correct receiver", <Must key="must" expected={line.expected} />],
          ["This one", <Did key="did" line={line} />],
        ]}
      />
      {latest && (
        <p className="t12 t3">
          <Time at={latest.at} on="real" />, made from{" "}
          <TextLink href={hrefs.delivery(latest.delivery_id)}>
            {latest.event_type} {latest.label}
          </TextLink>
        </p>
      )}
    </>
  );
};

/** The report on all an integration has met, which is handed to the partner as a file. @param of.url the receiver */
export const ReadinessLink = ({ of: { integration_id, url } }: { of: Pick<DeliveryRow, "integration_id" | "url"> }) => (
  <p className="t12">
    <TextLink href={hrefs.integration(integration_id)}>Readiness report</TextLink>{" "}
    <span className="t3">
      {whereTo(url).kind === "partner"
        ? "of the integration, drills included: Markdown or JSON"
        : "of the integration: it does not count drills on the sandbox’s own receivers, and this is one"}
    </span>
  </p>
);

/** How many of the drills are passed, in a number and one bar a drill. */
export const Score = ({ card }: { card: Card }) => (
  <Group gap={10} wrap="nowrap">
    <Box className="t2" component="p" flex="none" fw={400} fz={15} lh="20px">
      <b className="ink">{card.passed}</b> of {card.items.length}
      <span className="sr"> drills passed</span>
    </Box>
    <span className={`grow ${styles.scoreBar}`} role="img" aria-label={scoreWords(card)}>
      {card.items.map((item) => (
        <i key={item.drill} className={styles[item.running ? "running" : markOf(item)]} />
      ))}
    </span>
  </Group>
);

/** Runs every drill, by its key too, says how far that has come, and stops it. */
export const RunAll = ({ drilling: { progress, run, stop, canRun, why } }: { drilling: Drilling }) => {
  const runAll = () => run("all");
  useKeys("Webhooks", [
    { keys: ["a"], label: "Run all drills on this subscription", acts: true, enabled: canRun, run: runAll },
  ]);
  const canBeRun = "All nine, most side by side; each request ends after 10 seconds";
  return (
    <>
      {progress ? (
        <Button
          small
          icon={IconPlayerStop}
          title="Give up what is under way; results that are there stay"
          onClick={stop}
        >
          Stop, {progress.done} of {progress.of} done
        </Button>
      ) : (
        <Button
          small
          icon={IconPlayerPlay}
          disabled={!canRun}
          title={canRun ? canBeRun : (why ?? "Nothing was notified to this subscription yet")}
          onClick={runAll}
        >
          Run all
        </Button>
      )}
      <span className="sr" role="status">
        {progress ? "The drills are running" : ""}
      </span>
    </>
  );
};

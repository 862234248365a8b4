import { IconPlayerPlay } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { DrillComparison } from "./drill-comparison.tsx";
import { DrillExchanges } from "./drill-exchanges.tsx";
import { type Line, markOf } from "./score.ts";
import { Snippet } from "./snippet.tsx";

const marks = { passed: "passed", failed: "refused", not_run: "skipped", unproven: "skipped" } as const;
const words = { passed: "passed", failed: "failed", not_run: "not run", unproven: "proves nothing" } as const;

/** The code that refuses what this drill sends; for one that must be acknowledged, in words what it comes to. */
const Mending = ({ line }: { line: Line }) => {
  const { reason } = line.expected;
  const lead: ReactNode =
    reason === null ? (
      line.drill === "duplicate" ? (
        <>
          Keep the <span className="m11">message_id</span> of what was accepted, for a few days. One that is known is
          answered 200, after the verification and without doing anything else.
        </>
      ) : (
        <>
          Acknowledge first, then read the current state through the API: it is right whichever notification came first.
        </>
      )
    ) : (
      <>
        This function refuses it, in the marked lines. It is tested against the service with every drill; copy the file.
      </>
    );
  return (
    <section className="webhooks-mending" aria-label="Code that does">
      <h3 className="h2">Code that does</h3>
      <p className="t12 t2">{lead}</p>
      {reason !== null && <Snippet reason={reason} />}
    </section>
  );
};

/** One drill: what is sent and why, what is right and what came, every byte of it, and the code that does it right. */
export const DrillResult = ({
  line,
  running,
  onRun,
}: {
  line: Line;
  running: boolean;
  /** Null when nothing can be run. */
  onRun: (() => void) | null;
}) => {
  const { title, sends, why, latest } = line;
  const mark = markOf(line);
  useKeys("Webhooks", [
    { keys: ["r"], label: "Run this drill", enabled: onRun !== null && !running, run: () => onRun?.() },
  ]);
  const failed = mark === "failed";
  return (
    <article className="webhooks-result scroll" aria-label={title}>
      <header className="webhooks-result-head">
        <h2>{title}</h2>
        <State of={running ? "running" : marks[mark]} pill>
          {running ? "running" : words[mark]}
        </State>
        <span className="grow" />
        <Button small icon={IconPlayerPlay} keys="r" busy={running} disabled={onRun === null} onClick={() => onRun?.()}>
          {latest ? "Run again" : "Run"}
        </Button>
      </header>
      <div className="webhooks-result-words">
        <p>{sends}</p>
        <p className="t12 t2">{why}</p>
        <DrillComparison line={line} running={running} />
        {latest && (
          <p className="t12 t3">
            <Time at={latest.at} on="real" />, made from{" "}
            <TextLink href={hrefs.delivery(latest.delivery_id)}>
              {latest.event_type} {latest.label}
            </TextLink>
          </p>
        )}
      </div>
      {failed && <Mending line={line} />}
      {latest && <DrillExchanges key={latest.id} id={latest.id} />}
      {!failed && <Mending line={line} />}
    </article>
  );
};

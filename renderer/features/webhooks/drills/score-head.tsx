import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { Button } from "../../../components/button.tsx";
import type { Drilling } from "./run-drills.ts";
import { markOf, scoreWords } from "./score.ts";

/** How many of the drills are passed, in a number and one bar a drill. */
export const Score = ({ drilling }: { drilling: Drilling }) => {
  const { card, underWay } = drilling;
  if (!card) return null;
  return (
    <div className="webhooks-score">
      <p className="webhooks-score-count">
        <b>{card.passed}</b> of {card.items.length}
        <span className="sr"> drills passed</span>
      </p>
      <span className="webhooks-score-bar" role="img" aria-label={scoreWords(card)}>
        {card.items.map((item) => (
          <i key={item.drill} className={underWay.has(item.drill) ? "running" : markOf(item)} />
        ))}
      </span>
    </div>
  );
};

/** Runs every drill, says how far that has come, and stops it. */
export const RunAll = ({
  drilling,
  source,
  hint,
}: {
  drilling: Drilling;
  /** The delivery the drills are made from; null when there can be none. */
  source: string | null;
  /** Why nothing can be run. */
  hint: string | null;
}) => {
  const { progress, run, stop } = drilling;
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
          disabled={source === null}
          title={hint ?? "All nine, most side by side (key A); each request ends after 10 seconds"}
          onClick={() => source !== null && run("all", source)}
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

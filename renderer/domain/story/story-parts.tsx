import { IconChevronUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Scene, Story } from "../../../sandbox/contract/story.ts";
import { SideGlyph } from "../../components/side.tsx";
import { plural } from "../../lib/formatting.ts";
import styles from "./story.module.css";

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A step's call; expands over the screens. */
export const StoryCall = ({
  call,
  title,
  isOpen,
  onToggle,
}: {
  call: NonNullable<Scene["call"]>;
  title: string;
  isOpen: boolean;
  onToggle: () => void;
}) => (
  <div className={styles.call}>
    {isOpen && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      <section className={styles.bodies} tabIndex={0} aria-label={`${title}: request and response`}>
        <div>
          <h2>Request</h2>
          <pre>{pretty(call.request)}</pre>
        </div>
        <div>
          <h2>Response {call.status === 0 ? "none" : call.status}</h2>
          <pre>{pretty(call.response)}</pre>
        </div>
      </section>
    )}
    <button type="button" aria-expanded={isOpen} onClick={onToggle}>
      <SideGlyph side={call.side} />
      <span>{title}</span>
      <span className={styles.mono}>
        {call.method} {call.path}
      </span>
      <span className={`code2 ${call.status < 400 ? "ok" : "wait"}`}>{call.status}</span>
      <span>{call.duration_ms.toFixed(1)} ms</span>
      <span className={styles.opens}>
        Request and response <kbd>D</kbd> <IconChevronUp className="i" aria-hidden="true" />
      </span>
    </button>
  </div>
);

/** Summary at the end of a story. */
export const StoryEnd = ({ story, ways }: { story: Story; ways: ReactNode }) => {
  // The last state of each delivery.
  const webhooks = [
    ...new Map(story.scenes.flatMap((scene) => scene.webhooks).map((one) => [one.delivery_id, one])).values(),
  ];
  const verified = webhooks.filter(
    ({ status, verification }) => status === "delivered" && verification.every(({ verdict }) => verdict === "passed"),
  );
  const late = verified.filter(({ attempts }) => attempts > 1).length;
  const calls = story.scenes.at(-1)?.calls ?? 0;
  return (
    <div className={styles.end}>
      <div>
        <h1>What you saw</h1>
        <p className={styles.lead}>
          {plural(calls, "call")}
          {webhooks.length > 0 &&
            ` and ${plural(webhooks.length, "signed webhook")}, ${verified.length === webhooks.length ? "all" : verified.length} of them verified on arrival`}
          {late > 0 && `, ${late} of these after failed attempts`}.
        </p>
        <ol className={styles.seen}>
          {story.said.map(({ number, say, sides }) => (
            <li key={number}>
              <span>
                {sides.map((side) => (
                  <SideGlyph key={side} side={side} />
                ))}
              </span>
              <span>{say}</span>
              <small>{story.scenes.find((scene) => scene.number === number)?.call?.operation}</small>
            </li>
          ))}
        </ol>
      </div>
      <div className={styles.ways}>{ways}</div>
    </div>
  );
};

interface StoryActsProps {
  readonly busy: boolean;
  readonly onAgain: (() => void) | undefined;
  readonly href: string | null;
}

/** Advice where a story stopped. */
export const StoryActs = ({ busy, onAgain, href }: StoryActsProps) => (
  <div className={styles.acts}>
    {onAgain && (
      <button type="button" className={styles.way} disabled={busy} onClick={onAgain}>
        Try again
      </button>
    )}
    {href !== null && (
      <a className={styles.way} href={href} target="_blank" rel="noreferrer">
        Open trace
      </a>
    )}
  </div>
);

export const StoryProblem = ({
  problem,
  busy,
  onAgain,
  href,
}: StoryActsProps & { readonly problem: NonNullable<Scene["problem"]> }) => (
  <div className={styles.problem} role="alert">
    <b>The story stopped here.</b>
    <dl>
      <dt>Call</dt>
      <dd>{problem.detail}</dd>
      <dt>Expected</dt>
      <dd>{problem.expected}</dd>
      <dt>Actual</dt>
      <dd>{problem.got}</dd>
      {problem.answer !== undefined && (
        <>
          <dt>Response</dt>
          <dd>{problem.answer}</dd>
        </>
      )}
    </dl>
    <StoryActs busy={busy} onAgain={onAgain} href={href} />
  </div>
);

import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Story } from "../../../sandbox/contract/story.ts";
import { STEP_MS } from "./pace.ts";
import { SideScreen } from "./side-screen.tsx";
import styles from "./story.module.css";
import { MAX_TITLED_STATIONS, StoryMap } from "./story-map.tsx";
import { StoryActs, StoryCall, StoryEnd, StoryProblem } from "./story-parts.tsx";

const SPEEDS = [0.5, 1, 2] as const;

interface PlayerProps {
  readonly story: Story;
  /** Index of the sentence to begin with. */
  readonly startAt?: number;
  /** Runs the steps up to this one; absent for a recorded story. */
  readonly onPlay?: (step: number) => void;
  /** True if steps are running. */
  readonly isBusy?: boolean;
  /** Error that prevents further steps, other than a step's own failure. */
  readonly failure?: string | null;
  /** Address of a scene's call. */
  readonly traceHref?: (trace: string) => string;
  /** Actions at the end of the story. */
  readonly ways?: ReactNode;
  readonly where: string;
  /** True while a question is open over the story: it waits. */
  readonly isCovered?: boolean;
  readonly onExit?: () => void;
}

const calmly = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A sentence with the sides in their colours. */
const Sentence = ({ text }: { text: string }) =>
  text.split(/(\b(?:[Rr]epairers?|[Ss]uppliers?)(?:’s|’)?)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one sentence
      <b key={index} className={/^r/i.test(part) ? "buyer" : "supplier"}>
        {part}
      </b>
    );
  });

/** Returns the index of the sentence where the story stopped; null when it didn't. */
const stopOf = ({ said, scenes }: Story, failure: string | null): number | null => {
  const problem = scenes.find((scene) => scene.problem !== null);
  if (!problem && failure === null) return null;
  const index = said.findIndex(({ number }) =>
    problem ? number >= problem.number : scenes.every((scene) => scene.number !== number),
  );
  return index === -1 ? said.length - 1 : index;
};

/**
 * Plays a story, large enough for a projector: one sentence per step, the map up to it, and each side's screen. Going
 * back shows earlier screens without undoing anything. Plays a recording, or runs the steps one by one.
 */
export const Player = ({
  story,
  startAt = 0,
  onPlay,
  isBusy = false,
  failure = null,
  traceHref,
  ways,
  where,
  isCovered = false,
  onExit,
}: PlayerProps) => {
  const { said: sentences, scenes } = story;
  const last = sentences.length;
  const stop = stopOf(story, failure);
  // Nothing after the place where it stopped is shown: its sentences would claim what didn't happen.
  const end = stop ?? last;
  const [wantedAt, setAt] = useState(Math.max(0, startAt));
  const at = Math.min(wantedAt, end);
  const isStopped = at === stop;
  const [isPlaying, setPlaying] = useState(() => !calmly());
  const [speed, setSpeed] = useState<number>(1);
  const [isCallOpen, openCall] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const wanted = sentences[Math.min(at, last - 1)];
  const problemScene = isStopped ? scenes.find((scene) => scene.problem !== null) : undefined;
  const scene = wanted && (scenes.find(({ number }) => number === wanted.number) ?? problemScene);
  // The end follows the last step's success.
  const step = at >= last && scene ? undefined : wanted;
  // Until a step has run, its predecessor's screens stay.
  const seen = scene ?? (wanted && scenes.findLast(({ number }) => number < wanted.number));
  const isRunning = isPlaying && at < end;

  const play = useEffectEvent(() => {
    if (wanted && !isBusy) onPlay?.(wanted.number);
  });
  const isMissing = wanted !== undefined && scene === undefined && failure === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another step or when a step ends
  useEffect(() => {
    if (isMissing && !isBusy) play();
  }, [isMissing, at, isBusy]);
  useEffect(() => {
    if (!isRunning || !scene || isCallOpen || isCovered) return;
    const timer = setTimeout(() => setAt(at + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [isRunning, scene, isCallOpen, isCovered, at, speed]);
  useEffect(() => root.current?.focus(), []);

  const go = (to: number) => {
    openCall(false);
    setAt(Math.max(0, Math.min(end, to)));
  };
  const toggle = () => {
    if (at >= end) go(0);
    setPlaying(!isRunning);
  };
  const again = () => {
    setAt(at);
    play();
  };
  const fullScreen = () => {
    // Ignores a refusal by the browser.
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(
      () => undefined,
    );
  };
  const keys: Readonly<Record<string, () => void>> = {
    " ": toggle,
    ArrowLeft: () => go(at - 1),
    ArrowRight: () => go(at + 1),
    Home: () => go(0),
    End: () => go(last),
    d: () => openCall(!isCallOpen),
    f: fullScreen,
    Escape: () => (isCallOpen ? openCall(false) : onExit?.()),
    ...Object.fromEntries(sentences.slice(0, 9).map((_, index) => [String(index + 1), () => go(index)])),
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    // A dialog over the story has its own keys. Its Escape has closed it by now, so the target decides.
    const dialog = target.closest("[role='dialog']");
    if (isCovered || (dialog && !dialog.contains(root.current))) return;
    // A button with keyboard focus handles Space itself.
    if (key === " " && target.closest("button, a")) return;
    const act = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    // Removes the focus from a clicked button, so that Space still plays and pauses.
    const clicked = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest(`.${styles.story} button`)) event.preventDefault();
    };
    document.addEventListener("keydown", listen, true);
    document.addEventListener("mousedown", clicked);
    return () => {
      document.removeEventListener("keydown", listen, true);
      document.removeEventListener("mousedown", clicked);
    };
  }, []);

  return (
    <div ref={root} className={styles.story} tabIndex={-1} data-autofocus>
      <div className={styles.head}>
        <b>{story.title}</b>
        <span>{where}</span>
      </div>
      {/* One live region for every step and the end: a region added later would not be announced. */}
      <div className={styles.say} data-end={step === undefined} aria-live="polite" aria-atomic="true">
        {step ? (
          <>
            <span>
              {Math.min(at + 1, last)} of {last}
            </span>
            <h1>
              <Sentence text={step.say} />
            </h1>
          </>
        ) : (
          <span className="sr">The end of the story</span>
        )}
      </div>
      <StoryMap sentences={sentences} at={at} onGo={go} />
      {step ? (
        <>
          <div className={styles.two} aria-busy={scene === undefined}>
            {problemScene?.problem && (
              <StoryProblem
                problem={problemScene.problem}
                busy={isBusy}
                onAgain={onPlay && again}
                href={problemScene.call && traceHref ? traceHref(problemScene.call.trace_id) : null}
              />
            )}
            {isStopped && failure !== null && (
              <div className={styles.problem} role="alert">
                <b>The story stopped here.</b>
                <p>{failure}</p>
                <StoryActs busy={isBusy} onAgain={onPlay && again} href={null} />
              </div>
            )}
            {(["repairer", "supplier"] as const).map((side) => (
              <SideScreen
                key={side}
                side={side}
                screen={seen?.[side] ?? null}
                isChanged={scene?.changed.includes(side) ?? false}
                webhooks={scene?.webhooks ?? []}
                scene={seen}
              />
            ))}
          </div>
          {scene?.call ? (
            <StoryCall
              call={scene.call}
              title={step.title}
              isOpen={isCallOpen}
              onToggle={() => openCall(!isCallOpen)}
            />
          ) : (
            <div className={styles.call} />
          )}
        </>
      ) : (
        <StoryEnd story={story} ways={ways} />
      )}
      <div className={styles.controls}>
        <div className={styles.hints}>
          <span>
            <kbd>←</kbd> <kbd>→</kbd> step
          </span>
          <span>
            <kbd>Space</kbd> {isRunning ? "pause" : "play"}
          </span>
          <span>
            <kbd>D</kbd> call
          </span>
          <span>
            <kbd>F</kbd> full screen
          </span>
        </div>
        <div className={styles.centre}>
          <button type="button" aria-label="Previous step" aria-disabled={at === 0} onClick={() => go(at - 1)}>
            <IconPlayerTrackPrev aria-hidden="true" />
          </button>
          <button type="button" className={styles.main} aria-label={isRunning ? "Pause" : "Play"} onClick={toggle}>
            {isRunning ? <IconPlayerPauseFilled aria-hidden="true" /> : <IconPlayerPlayFilled aria-hidden="true" />}
          </button>
          <button type="button" aria-label="Next step" aria-disabled={at >= end} onClick={() => go(at + 1)}>
            <IconPlayerTrackNext aria-hidden="true" />
          </button>
          <span className={styles.dots} data-many={last > MAX_TITLED_STATIONS} aria-hidden="true">
            {sentences.map(({ number }, index) => (
              <i key={number} data-state={index === at ? "now" : index < at ? "done" : "next"} />
            ))}
          </span>
        </div>
        <div className={styles.right}>
          <fieldset className={styles.speeds}>
            <legend className="sr">Speed</legend>
            {SPEEDS.map((one) => (
              <button key={one} type="button" aria-pressed={speed === one} onClick={() => setSpeed(one)}>
                {one}×
              </button>
            ))}
          </fieldset>
          {onExit && (
            <button type="button" className={styles.way} onClick={onExit}>
              Exit <kbd>Esc</kbd>
            </button>
          )}
        </div>
      </div>
    </div>
  );
};

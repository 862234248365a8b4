import { useRef, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import { Origin } from "../../components/origin.tsx";
import { formatClock, formatDay } from "../../lib/formatting.ts";
import { parseSpan } from "../../lib/spans.ts";
import { useNowText } from "../../lib/world-clock.ts";
import { aheadBy, offsetWords, useMoveClock } from "../move-clock.ts";
import { hrefs } from "../places.ts";
import { useWorld } from "../world.ts";

const WorldNow = ({ seconds }: { seconds: number }) => {
  const text = useNowText("world", (now) => {
    const iso = new Date(now).toISOString();
    return `${formatDay(iso, Date.now())}, ${formatClock(iso)}`;
  });
  return (
    <p className="row wrap clock-now">
      <span className="w5">{text}</span>
      <span className="t12 t3">{offsetWords(seconds)}</span>
    </p>
  );
};

const AnySpan = ({ onMove }: { onMove: (seconds: number) => void }) => {
  const [typed, setTyped] = useState("");
  const seconds = parseSpan(typed);
  const wrong = typed.trim() !== "" && seconds === null;
  return (
    <Form className="beside" onSend={() => seconds !== null && onMove(seconds)}>
      <TextField
        label="Or by"
        placeholder="90 min, 2 h 30 min, 3 days"
        value={typed}
        onChange={setTyped}
        error={wrong ? "A number and min, h, days or weeks; at most a hundred years." : null}
      />
      <Button type="submit" disabled={seconds === null}>
        Move ahead
      </Button>
    </Form>
  );
};

/** The world's clock, what moves it and what follows it (D84). */
export const ClockPanel = ({ offset, onLeave }: { offset: number; onLeave: () => void }) => {
  const world = useWorld();
  const move = useMoveClock({ tells: false });
  const steps = useRef<HTMLDivElement>(null);
  const back = () => {
    // The button has nothing more to do then, and would take the focus with it.
    steps.current?.querySelector("button")?.focus();
    move.mutate(null);
  };
  return (
    <>
      <div className="row pop-head">
        <h2 className="h2">The world’s clock</h2>
        <Origin of="assumption" id="D84" />
      </div>
      <div className="stack row-3 pop-body">
        <WorldNow seconds={offset} />
        <div ref={steps} className="row wrap">
          <span className="t12 t2">Ahead by</span>
          {aheadBy.map(({ label, seconds }) => (
            <Button key={label} small onClick={() => move.mutate(seconds)}>
              {label}
            </Button>
          ))}
          <span className="grow" />
          <Button small look="quiet" disabled={offset === 0} onClick={back}>
            Back to now
          </Button>
        </div>
        <AnySpan onMove={(seconds) => move.mutate(seconds)} />
        <p className="t12">
          <Link href={hrefs.world(world)} className="lnk" onClick={onLeave}>
            What comes before it is moved, and moments to move it to
          </Link>
        </p>
        <dl className="kv clock-words">
          <dt>Follow it</dt>
          <dd>access codes and when they run out, upload addresses, the times of jobs, orders and events</dd>
          <dt>Do not</dt>
          <dd>
            <code>webhook_timestamp</code> and its tolerance, retries of deliveries, the idle reset
          </dd>
          <dt>Going back</dt>
          <dd>leaves what was stamped ahead as it is: it then lies in the future</dd>
        </dl>
      </div>
    </>
  );
};

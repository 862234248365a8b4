import { IconCheck } from "@tabler/icons-react";
import { hasPlace } from "../../app/places.ts";
import { useUi } from "../../app/ui-store.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Time } from "../../components/time.tsx";
import { type Done, type Step, useSteps } from "./steps.ts";

/** What a step came to, and when; the time leads to the call itself. */
const What = ({ done: { what, href, at, requestId } }: { done: Done }) => {
  const showInWire = useUi((state) => state.showInWire);
  const time = at !== null && <Time at={at} as="clock" on="real" />;
  return (
    <span className="t12 t3 row row-1 overview-step-when">
      <span className="el" title={what}>
        {href === undefined ? what : <TextLink href={href}>{what}</TextLink>}
      </span>
      {time && <span aria-hidden="true">·</span>}
      {time && requestId ? (
        <button
          type="button"
          className="overview-step-call"
          title="Show it on the wire"
          onClick={() => showInWire(requestId)}
        >
          <span className="sr">Show on the wire, </span>
          {time}
        </button>
      ) : (
        time
      )}
    </span>
  );
};

const StepRow = ({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) => {
  const { done } = step;
  return (
    <li className={`overview-step${done ? " done" : isNext ? " next" : ""}`} aria-current={isNext ? "step" : undefined}>
      <span className="num" aria-hidden="true">
        {done ? <Icon of={IconCheck} size={12} /> : number}
      </span>
      <div>
        <b>{step.title}</b>
        <span className="sr">{done ? ", done" : ", to do"}</span>
        {isNext && <p>{step.advice}</p>}
      </div>
      {done ? (
        <What done={done} />
      ) : (
        isNext &&
        hasPlace(step.place) && (
          <LinkButton small href={step.go.href}>
            {step.go.label}
          </LinkButton>
        )
      )}
    </li>
  );
};

/** What to go on with once every step is done. */
const Finish = () => (
  <p className="note overview-finish">
    <span>
      <b>All of it works once through.</b> Next:{" "}
      <TextLink href="/install">put the address of your own program and a key into it</TextLink>, subscribe its
      receiver, and <TextLink href="/webhooks">run the drills on that</TextLink>. A world of its own, in the bar above,
      keeps it apart from this one.
    </span>
  </p>
);

/** What to do first, ticked off by what really happened. */
export const FirstSteps = () => {
  const { steps, known } = useSteps();
  const hideSteps = useUi((state) => state.hideSteps);
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done);
  return (
    <section className="overview-steps scroll" aria-label="First steps">
      <div className="sec">
        <h2>First steps</h2>
        {known && (
          <span className="t12 t3">
            {done} of {steps.length}
          </span>
        )}
        <span className="r">
          <Button look="quiet" small onClick={() => hideSteps(true)}>
            Hide
          </Button>
        </span>
      </div>
      {known ? (
        <>
          <ol>
            {steps.map((step, index) => (
              <StepRow key={step.title} step={step} number={index + 1} isNext={index === next} />
            ))}
          </ol>
          {next === -1 && <Finish />}
        </>
      ) : (
        <Loading what="first steps" rows={5} />
      )}
    </section>
  );
};

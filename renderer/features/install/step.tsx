import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon } from "../../components/icon.tsx";

export type StepStage = "done" | "now" | "todo";

const spoken: Record<StepStage, string> = { done: "done", now: "current step", todo: "to come" };

/** One step of an install: its number, or a tick; what is known of it at the right; what it holds below. */
export const Step = ({
  number,
  stage,
  title,
  aside,
  children,
}: {
  number: number;
  stage: StepStage;
  title: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}) => (
  <li className={`install-step ${stage}`} aria-current={stage === "now" ? "step" : undefined}>
    <span className="n" aria-hidden="true">
      {stage === "done" ? <Icon of={IconCheck} size={12} /> : number}
    </span>
    <div>
      <h3>
        {title}
        <span className="sr">, {spoken[stage]}</span>
        {aside && <span className="aside">{aside}</span>}
      </h3>
      {children}
    </div>
  </li>
);

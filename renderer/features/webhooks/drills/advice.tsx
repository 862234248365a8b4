import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { Scorecard } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/section.tsx";

/** What this consumer should mend, in the service's sentences; nothing while too little was run to tell. */
export const Advice = ({ card }: { card: Pick<Scorecard, "advice" | "run" | "passed"> }) => {
  if (card.advice.length === 0) return null;
  const good = card.passed === card.run;
  return (
    <div className={`webhooks-advice ${good ? "ok" : "bad"}`}>
      {card.advice.map((sentence) => (
        <Note key={sentence} icon={<Icon of={good ? IconCircleCheck : IconAlertTriangle} size={14} />}>
          {sentence}
        </Note>
      ))}
    </div>
  );
};

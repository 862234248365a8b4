import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { Tabs } from "../../../components/tabs.tsx";
import { type Aside, asideIn, useAddressQuery } from "../addresses.ts";
import { DrillsAside } from "../drills/drills-aside.tsx";
import type { Drilling } from "../drills/run-drills.ts";
import { AnswerPane } from "./answer-pane.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";

/** Beside the bytes: what the receiver answered and where the delivery is found elsewhere, or the drills on it. */
export const DeliveryAside = ({
  delivery,
  attempt,
  drilling,
}: {
  delivery: Delivery;
  attempt: Attempt | null;
  drilling: Drilling;
}) => {
  const { query, change } = useAddressQuery();
  const shown = asideIn(query);
  const { card } = drilling;
  const tabs: ReadonlyArray<{ value: Aside; label: string }> = [
    { value: "answer", label: "Answer" },
    { value: "drills", label: card && card.run > 0 ? `Drills ${card.passed}/${card.items.length}` : "Drills" },
  ];
  const show = (aside: Aside) => change(aside === "drills" ? { show: aside } : { show: null, drill: null });
  return (
    <aside className="webhooks-aside" aria-label="About this delivery">
      <Tabs label="Beside this delivery" tabs={tabs} value={shown} onChange={show}>
        {shown === "drills" ? (
          <DrillsAside delivery={delivery} drilling={drilling} />
        ) : (
          <div>
            {attempt && (
              <AnswerPane
                key={attempt.number}
                attempt={attempt}
                wasLast={delivery.status === "failed" && attempt === delivery.attempts.at(-1)}
              />
            )}
            <DeliveryFacts delivery={delivery} />
          </div>
        )}
      </Tabs>
    </aside>
  );
};

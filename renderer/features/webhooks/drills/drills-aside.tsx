import { useQuery } from "@tanstack/react-query";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { useWorld } from "../../../app/world.ts";
import { Failing, Refusal } from "../../../components/failing.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/section.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { addresses, drillIn, useAddressQuery } from "../addresses.ts";
import { ShortAddress } from "../feed/address.tsx";
import { Advice } from "./advice.tsx";
import { DrillItem } from "./aside-item.tsx";
import { useWhyNoDrill } from "./drill-source.ts";
import "./drills.css";
import { scorecardQuery } from "./queries.ts";
import type { Drilling } from "./run-drills.ts";
import { RunAll, Score } from "./score-head.tsx";

/** The drills of a delivery's subscription, each made from this very delivery when it is run here. */
export const DrillsAside = ({ delivery, drilling }: { delivery: Delivery; drilling: Drilling }) => {
  const { query, change } = useAddressQuery();
  const open = drillIn(query);
  const why = useWhyNoDrill(delivery.subscription_id);
  const { error, isPending, refetch } = useQuery(scorecardQuery(useWorld(), delivery.subscription_id));
  const source = why === null ? delivery.id : null;
  useKeys("Webhooks", [
    {
      keys: ["a"],
      label: "Run all drills on this subscription",
      enabled: source !== null,
      run: () => drilling.run("all", delivery.id),
    },
  ]);
  const { card } = drilling;
  if (isPending) return <Loading what="the drills" rows={9} />;
  if (!card && why !== null)
    return (
      <div className="webhooks-drills-note">
        <Note>{why}</Note>
      </div>
    );
  if (!card) return <Failing what="The drills" error={error} onRetry={() => void refetch()} />;
  return (
    <section className="webhooks-drills" aria-label="Drills">
      <div className="webhooks-drills-to">
        <TextLink
          href={addresses.subscription(delivery.subscription_id, open)}
          title={`The scorecard of ${delivery.url}`}
        >
          <ShortAddress url={delivery.url} />
        </TextLink>
        <span className="grow" />
        <RunAll drilling={drilling} source={source} hint={why} />
      </div>
      <Score drilling={drilling} />
      {why !== null && (
        <div className="webhooks-drills-note">
          <Note>{why}</Note>
        </div>
      )}
      {drilling.error instanceof ServiceFailure && (
        <div className="webhooks-refused">
          <Refusal failure={drilling.error} />
        </div>
      )}
      <ul>
        {card.items.map((line) => (
          <DrillItem
            key={line.drill}
            line={line}
            open={open === line.drill}
            drilling={drilling}
            delivery={delivery}
            possible={source !== null}
            onToggle={(drill) => change({ drill: open === drill ? null : drill })}
          />
        ))}
      </ul>
      <Advice card={card} />
    </section>
  );
};

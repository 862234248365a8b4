import { IconArrowRight, IconArrowsExchange, IconBasket, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { procurementStatuses } from "../../../../sandbox/contract/values.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { State } from "../../../components/state.tsx";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { addPartsHref } from "../detail/addresses.ts";
import { useRepairerName } from "../detail/no-key.tsx";
import type { JobInSight } from "../detail/use-job.ts";
import { basketQuery, partsQuery } from "../queries.ts";

interface StepProps {
  readonly icon: IconOf;
  readonly name: string;
  readonly count: string;
  readonly children: ReactNode;
}

const Step = ({ icon, name, count, children }: StepProps) => (
  <li className="jobs-step">
    <span className="row row-1 t12 t2">
      <Icon of={icon} size={14} />
      {name}
    </span>
    <b>{count}</b>
    <span className="t12 t3">{children}</span>
  </li>
);

/** What leads on from here: one thing, the next. */
const Next = ({ job: { row, credential }, open }: { job: JobInSight; open: number | null }) => {
  const name = useRepairerName(row);
  if (credential === null)
    return (
      <span className="t12 t2 jobs-next-words">{name} has no key here: this is what the sandbox itself knows.</span>
    );
  if (row.parts === 0)
    return (
      <LinkButton small look="primary" icon={IconTool} href={addPartsHref(row.id)}>
        Add parts
      </LinkButton>
    );
  if (open === null || open > 0)
    return (
      <LinkButton small look="primary" icon={IconBasket} href={hrefs.job(row.id, "basket")}>
        Choose offers
      </LinkButton>
    );
  return (
    <LinkButton small icon={IconArrowRight} href={hrefs.job(row.id, "procurements")}>
      See the procurements
    </LinkButton>
  );
};

/** How far the job has come: parts, offers, procurements. */
export const Progress = ({ job }: { job: JobInSight }) => {
  const world = useWorld();
  const { row, credential } = job;
  const parts = useQuery(partsQuery(world, row.id, credential));
  const basket = useQuery({ ...basketQuery(world, row.id, credential), enabled: credential !== null && row.parts > 0 });
  const ordered = parts.data?.items.filter(({ status }) => status === "ordered").length ?? null;
  const counts = procurementStatuses.filter((status) => row.procurements[status] > 0);
  const total = counts.reduce((sum, status) => sum + row.procurements[status], 0);
  return (
    <div className="jobs-progress">
      <ol>
        <Step icon={IconTool} name="Parts" count={formatCount(row.parts)}>
          {row.parts === 0 ? "none yet" : ordered === null ? "" : ordered === 0 ? "none ordered" : `${ordered} ordered`}
        </Step>
        <Step
          icon={IconBasket}
          name="Offers"
          count={basket.data ? formatCount(basket.data.offers.length) : row.parts === 0 ? "0" : "–"}
        >
          {basket.data
            ? `from ${plural(basket.data.suppliers.length, "supplier")}`
            : row.parts === 0
              ? "they come with parts"
              : ""}
        </Step>
        <Step icon={IconArrowsExchange} name="Procurements" count={formatCount(total)}>
          {counts.length === 0 ? (
            "nothing ordered"
          ) : (
            <span className="row">
              {counts.map((status) => (
                <State key={status} of={status}>
                  {row.procurements[status]} {status}
                </State>
              ))}
            </span>
          )}
        </Step>
      </ol>
      <span className="grow" />
      <Next job={job} open={ordered === null ? null : row.parts - ordered} />
    </div>
  );
};

import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { organizationsQuery } from "../../../app/world-queries.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";

/** The install flow for a key that a job lacks; it knows the way back to the job. */
export const installHref = (wanted: Readonly<Record<string, string>>, row: JobRow, tab?: string): string =>
  `/install?${new URLSearchParams({ ...wanted, back: hrefs.job(row.id, tab), back_label: row.job_number ?? "the job" })}`;

/** The repairer's name, as far as the world knows it. */
export const useRepairerName = (row: JobRow): string => {
  const { data } = useQuery(organizationsQuery(useWorld()));
  return data?.find(({ id }) => id === row.organization_id)?.name ?? row.site.name;
};

const lost = { parts: "its parts", basket: "its basket", json: "its JSON" } as const;

/** A job whose repairer has no key in this sandbox: what cannot be asked, and what can be done. */
export const NoKey = ({ row, what }: { row: JobRow; what: keyof typeof lost }) => {
  const name = useRepairerName(row);
  return (
    <NothingYet
      icon={IconKeyOff}
      title={`The sandbox holds no key of ${name}`}
      actions={
        <>
          {hasPlace("install") && (
            <LinkButton
              small
              look="primary"
              href={installHref({ organization: row.organization_id, scope: "repairer" }, row, what)}
            >
              Install for {name}
            </LinkButton>
          )}
          <LinkButton small href={hrefs.job(row.id, "overview")}>
            What is known of it
          </LinkButton>
        </>
      }
    >
      Only {name} may read {lost[what]}: to every other key the job is not_found. Install an integration for it, and
      this shows what its partner would get.
    </NothingYet>
  );
};

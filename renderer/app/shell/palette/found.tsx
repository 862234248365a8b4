import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsExchange, IconCar } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { JobRow, ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { Plate } from "../../../components/plate.tsx";
import { State } from "../../../components/state.tsx";
import { shortened } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hasPlace, hrefs } from "../../places.ts";
import { worldKeys } from "../../query-keys.ts";
import { useWorld } from "../../world.ts";
import type { PaletteEntry } from "./entry.ts";

const MOST_FOUND = 6;
type Go = (href: string) => void;

const nameOf = (name: string | null, id: string) => name ?? (shortened(id) ?? [id, ""]).join("…");

const jobEntry = (job: JobRow, go: Go): PaletteEntry => ({
  id: job.id,
  icon: IconCar,
  label: nameOf(job.job_number ?? job.external_id, job.id),
  aside: (
    <>
      <span className="t12 t3 el">{job.site.name}</span>
      <Plate plate={job.plate_number} state={job.plate_state} />
    </>
  ),
  run: () => go(hrefs.job(job.id)),
});

const procurementEntry = (row: ProcurementRow, go: Go): PaletteEntry => ({
  id: row.id,
  icon: IconArrowsExchange,
  label: nameOf(row.reference, row.id),
  aside: (
    <>
      <span className="t12 t3 el">{row.supplier.name}</span>
      {row.plate_number && <Plate plate={row.plate_number} />}
      <State of={row.status} />
    </>
  ),
  run: () => go(hrefs.procurement(row.id)),
});

/** Jobs and procurements that match, asked of the service; nothing while there is nothing to search for. */
export const useFound = (search: string, go: Go) => {
  const world = useWorld();
  const [typed] = useDebouncedValue(search.trim(), 120);
  const enabled = typed.length >= 2 && search.trim().length >= 2;
  const jobs = useQuery({
    queryKey: worldKeys(world).jobs("palette", typed),
    enabled: enabled && hasPlace("jobs"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("jobs.list", { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  const procurements = useQuery({
    queryKey: worldKeys(world).procurements("palette", typed),
    enabled: enabled && hasPlace("procurements"),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callControl("procurements.list", { search: typed, limit: MOST_FOUND, world }, { signal }),
  });
  const items = <T,>(page: { readonly items: readonly T[] } | undefined): readonly T[] =>
    enabled && page ? page.items : [];
  return {
    jobs: items(jobs.data).map((job) => jobEntry(job, go)),
    procurements: items(procurements.data).map((row) => procurementEntry(row, go)),
    searching: enabled && (jobs.isFetching || procurements.isFetching || typed !== search.trim()),
  };
};

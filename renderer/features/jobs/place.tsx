import { useState } from "react";
import { Boundary } from "../../app/boundary.tsx";
import type { PlaceProps } from "../../app/places.ts";
import { DialogComing } from "../../components/dialog.tsx";
import { loading } from "../../components/loading.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { late } from "../../lib/late.ts";
import { useFormAddress } from "./address.ts";
import { JobsFrame } from "./list/jobs-frame.tsx";

const detail = late(async () => (await import("./detail/job-detail.tsx")).JobDetail, loading("the job", 5));
// Drawn without a wait where a job is what the window begins with.
if (window.location.pathname.startsWith("/jobs/")) await detail.preload();
const newJob = late(
  async () => (await import("./form/new-job.tsx")).NewJobDialog,
  ({ opened }) => <DialogComing opened={opened} title="New job" size={940} />,
);

/** Jobs: all of them as a table; or beside one job with its parts, basket and procurements. */
export const Place = ({ id, tab }: PlaceProps) => {
  const form = useFormAddress("new");
  const [isNeeded, setNeeded] = useState(form.opened);
  if (form.opened && !isNeeded) setNeeded(true);
  useKeys("Jobs", [{ keys: ["n"], label: "New job", run: form.open }]);
  return (
    <>
      <JobsFrame
        selected={id ?? null}
        onNew={form.open}
        detail={
          id && (
            <Boundary title="The job">
              <detail.Part key={id} id={id} tab={tab} />
            </Boundary>
          )
        }
      />
      {isNeeded && <newJob.Part opened={form.opened} onClose={form.close} />}
    </>
  );
};

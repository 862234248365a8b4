import { IconCar, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { Button } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { Split } from "../../components/split.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { JobDetail } from "./detail/job-detail.tsx";
import { NewJobDialog } from "./form/new-job-dialog.tsx";
import "./jobs.css";
import "./overview/overview.css";
import "./parts/parts.css";
import "./basket/basket.css";
import "./form/form.css";
import "./small-windows.css";
import { JobsList } from "./list/jobs-list.tsx";

const NoJobChosen = ({ onNew }: { onNew: () => void }) => {
  usePageTitle("Jobs");
  return (
    <NothingYet
      icon={IconCar}
      title="No job chosen"
      actions={
        <Button small icon={IconPlus} keys="n" onClick={onNew}>
          New job
        </Button>
      }
    >
      Choose one in the list, or move with <Kbd keys="j" /> <Kbd keys="k" /> and open it with <Kbd keys="enter" />. A
      job is where an order begins: it gets parts, suppliers answer with offers, and chosen offers become procurements.
    </NothingYet>
  );
};

/** Jobs: the list on the left, one job with its parts, basket and procurements on the right. */
export const Place = ({ id, tab }: PlaceProps) => {
  const [making, setMaking] = useState(false);
  const make = () => setMaking(true);
  useKeys("Jobs", [{ keys: ["n"], label: "New job", run: make }]);
  return (
    <>
      <Split
        name="jobs"
        label="Jobs"
        list={<JobsList selected={id ?? null} onNew={make} />}
        detail={id ? <JobDetail key={id} id={id} tab={tab} /> : <NoJobChosen onNew={make} />}
      />
      <NewJobDialog opened={making} onClose={() => setMaking(false)} />
    </>
  );
};

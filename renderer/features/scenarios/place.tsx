import { IconChecklist } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { NothingYet } from "../../components/empty.tsx";
import { loading } from "../../components/loading.tsx";
import { Split } from "../../components/split.tsx";
import { late } from "../../lib/late.ts";
import { ScenariosList } from "./scenarios-list.tsx";

const detail = late(
  async () => (await import("./detail/scenario-detail.tsx")).ScenarioDetail,
  loading("the scenario", 8),
);
export const preloadDetail = detail.preload;

/** Scenarios: guided flows with a check on what really happened, and reproductions of what happened elsewhere. */
export const Place = ({ id, tab }: PlaceProps) => (
  <Split
    name="scenarios"
    label="Scenarios"
    initial={300}
    least={240}
    list={<ScenariosList selected={id ?? null} />}
    detail={
      id === undefined ? (
        <NothingYet icon={IconChecklist} title="No scenario is open">
          A scenario is a list of steps against a fresh world, each with what must come of it. Open one to run it all at
          once or step by step, or run all of them.
        </NothingYet>
      ) : (
        <detail.Part key={id} name={id} tab={tab === "file" ? "file" : "run"} />
      )
    }
  />
);

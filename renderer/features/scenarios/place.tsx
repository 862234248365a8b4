import { EmptyState } from "@mantine/core";
import { IconChecklist, IconPlayerRecord } from "@tabler/icons-react";
import { useState } from "react";
import type { PlaceProps } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { Split } from "../../components/split.tsx";
import { RecordDialog } from "../../domain/scenario/record-dialog.tsx";
import { ScenarioDetail } from "./detail/scenario-detail.tsx";
import { ScenariosList } from "./scenarios-list.tsx";

const NoneOpen = () => {
  const [recording, record] = useState(false);
  return (
    <>
      <EmptyState
        icon={<IconChecklist />}
        title="No scenario is open"
        description="A scenario is a list of steps for a fresh world, each with its expected result. Open one to run it, run all, or record the calls of this world."
      >
        <EmptyState.Actions>
          <Button small icon={IconPlayerRecord} onClick={() => record(true)}>
            Record what was called
          </Button>
        </EmptyState.Actions>
      </EmptyState>
      <RecordDialog opened={recording} onClose={() => record(false)} calls={null} />
    </>
  );
};

/** Scenarios: guided flows with a check on what really happened, and reproductions of what happened elsewhere. */
export const Place = ({ id, tab }: PlaceProps) => (
  <Split
    name="scenarios"
    label="Scenarios"
    initial={300}
    least={240}
    list={<ScenariosList selected={id ?? null} />}
    detail={
      id === undefined ? <NoneOpen /> : <ScenarioDetail key={id} name={id} tab={tab === "file" ? "file" : "run"} />
    }
  />
);

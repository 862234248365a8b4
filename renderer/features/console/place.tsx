import { EmptyState } from "@mantine/core";
import { IconTerminal } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { Kbd } from "../../components/kbd.tsx";
import { Split } from "../../components/split.tsx";
import { OperationPage } from "./operation-page.tsx";
import { OperationsList } from "./operations-list.tsx";

/** Console: everything the service can be asked, and right one operation: as whom, with what, and what it answers. */
export const Place = ({ id }: PlaceProps) => (
  <Split
    name="console"
    label="Console"
    initial={248}
    list={<OperationsList selected={id ?? null} />}
    detail={
      id === undefined ? (
        <EmptyState icon={<IconTerminal />} title="Select an operation">
          <EmptyState.Description>
            Call it with any key and see its response. Press <Kbd keys="j" /> and <Kbd keys="k" /> to move through the
            list.
          </EmptyState.Description>
        </EmptyState>
      ) : (
        <OperationPage key={id} id={id} />
      )
    }
  />
);

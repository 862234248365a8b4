import { IconTerminal } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { NothingYet } from "../../components/empty.tsx";
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
        <NothingYet icon={IconTerminal} title="No operation is open">
          Choose one to call it as anybody and see its answer; <Kbd keys="j" /> and <Kbd keys="k" /> walk through them.
        </NothingYet>
      ) : (
        <OperationPage key={id} id={id} />
      )
    }
  />
);

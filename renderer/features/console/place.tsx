import { EmptyState } from "@mantine/core";
import { IconTerminal } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { KeyHint } from "../../components/key-hint.tsx";
import { ListBesideDetail } from "../../components/list-beside-detail.tsx";
import { OperationPage } from "./operation-page.tsx";
import { OperationsList } from "./operations-list.tsx";

/** Console: everything the service can be asked, and right one operation: as whom, with what, and what it answers. */
export const Place = ({ id }: PlaceProps) => (
  <ListBesideDetail
    name="console"
    label="Console"
    initial={248}
    list={<OperationsList selected={id ?? null} />}
    detail={
      id === undefined ? (
        <EmptyState icon={<IconTerminal />} title="Select an operation">
          <EmptyState.Description>
            Call it with any key and see its response. Press <KeyHint keys="j" /> and <KeyHint keys="k" /> to move
            through the list.
          </EmptyState.Description>
        </EmptyState>
      ) : (
        <OperationPage key={id} id={id} />
      )
    }
  />
);

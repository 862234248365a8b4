import { EmptyState } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { KeyHint } from "../../components/key-hint.tsx";
import { ListBesideDetail } from "../../components/list-beside-detail.tsx";
import { tabOf, usePageParams } from "./addresses.ts";
import { RequestDetail } from "./detail/request-detail.tsx";
import { RequestsList } from "./list/requests-list.tsx";

/** Requests: every call that reached the world, and right one of them: why it was answered so, and what followed. */
export const Place = ({ id, tab }: PlaceProps) => {
  const { with: other } = usePageParams();
  const shown = tabOf(tab);
  const comparing = id !== undefined && shown === "compare" ? id : null;
  return (
    <ListBesideDetail
      name="requests"
      label="Requests"
      initial={368}
      least={300}
      list={<RequestsList selected={id ?? null} comparing={comparing !== null && other === null ? comparing : null} />}
      detail={
        id === undefined ? (
          <EmptyState icon={<IconListDetails />} title="Select a call">
            <EmptyState.Description>
              See its response, the reason and what followed. Press <KeyHint keys="j" /> and <KeyHint keys="k" /> to
              move through the list.
            </EmptyState.Description>
          </EmptyState>
        ) : (
          <RequestDetail key={id} id={id} tab={shown} />
        )
      }
    />
  );
};

import { Segmented } from "../../../components/tabs.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import type { View } from "../procurements-store.ts";

/** A list beside the detail, or a board of the states. */
export const ViewSwitch = ({ view, onShow }: { view: View; onShow: (view: View) => void }) => {
  const other = view === "list" ? "board" : "list";
  useKeys("Orders", [{ keys: ["v"], label: `Show as a ${other}`, run: () => onShow(other) }]);
  return (
    <Segmented
      label="Show as"
      value={view}
      onChange={onShow}
      options={[
        { value: "list", label: "List" },
        { value: "board", label: "Board" },
      ]}
    />
  );
};

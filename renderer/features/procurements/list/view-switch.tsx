import { Segmented } from "../../../components/tabs.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { useAddress } from "../address.ts";

/** A list beside the detail, or a board of the states. */
export const ViewSwitch = () => {
  const { view, show } = useAddress();
  const other = view === "list" ? "board" : "list";
  useKeys("Orders", [{ keys: ["v"], label: `Show as a ${other}`, run: () => show(other) }]);
  return (
    <Segmented
      label="Show as"
      value={view}
      onChange={show}
      options={[
        { value: "list", label: "List" },
        { value: "board", label: "Board" },
      ]}
    />
  );
};

import { IconHelp } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { late } from "../../lib/late.ts";
import { useUi } from "../ui-store.ts";

const list = late(async () => (await import("./key-list.tsx")).KeyList);

/** The list of all keys, behind a button and a key. */
export const KeyHelp = () => {
  const open = useUi((state) => state.keysOpen);
  const setOpen = useUi((state) => state.showKeys);
  useKeys("Everywhere", [{ keys: ["?"], label: "All keys", run: () => setOpen(true) }]);
  return (
    <>
      <IconButton icon={IconHelp} label="All keys" onClick={() => setOpen(true)} />
      <Dialog opened={open} onClose={() => setOpen(false)} title="All keys" size="lg">
        <list.Part />
      </Dialog>
    </>
  );
};

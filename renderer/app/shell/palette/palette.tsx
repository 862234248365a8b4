import { Dialog } from "../../../components/dialog.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Boundary } from "../../boundary.tsx";
import { useUi } from "../../ui-store.ts";
import { PaletteBody } from "./palette-body.tsx";

/** Ctrl/Cmd+K (and +P): places, jobs, procurements, actions. */
export const Palette = () => {
  const open = useUi((state) => state.paletteOpen);
  const show = (paletteOpen: boolean) => useUi.setState({ paletteOpen });
  const close = () => show(false);
  useKeys("Everywhere", [
    { keys: ["mod+k", "mod+p"], label: "Search or jump to", run: () => (open ? close() : show(true)) },
  ]);
  return (
    <Dialog
      opened={open}
      onClose={close}
      withCloseButton={false}
      // At once: the next key already means the place again.
      transitionProps={{ duration: 0 }}
      padding={0}
      size={560}
      classNames={{ body: "palette" }}
      attributes={{ content: { "aria-label": "Search or jump to" } }}
    >
      <Boundary title="The search">
        <PaletteBody onClose={close} />
      </Boundary>
    </Dialog>
  );
};

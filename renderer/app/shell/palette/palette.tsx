import { useState } from "react";
import { Dialog } from "../../../components/dialog.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { late } from "../../../lib/late.ts";
import { Boundary } from "../../boundary.tsx";
import { useUi } from "../../ui-store.ts";

interface BodyProps {
  /** Before the code was there. */
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onClose: () => void;
}

/** Who opens it types on without waiting, also where its code is still on its way. */
const TypedAhead = ({ typed, onType }: Omit<BodyProps, "onClose">) => (
  <input
    ref={(input) => input?.focus()}
    className="sr"
    aria-label="Search or jump to"
    value={typed}
    onChange={(event) => onType(event.currentTarget.value)}
  />
);

const { Part: PaletteBody } = late<BodyProps>(async () => (await import("./palette-body.tsx")).PaletteBody, TypedAhead);

/** Ctrl/Cmd+K (and +P): places, jobs, procurements, actions. */
export const Palette = () => {
  const open = useUi((state) => state.paletteOpen);
  const [typed, setTyped] = useState("");
  const show = (paletteOpen: boolean) => useUi.setState({ paletteOpen });
  const close = () => {
    show(false);
    setTyped("");
  };
  useKeys("Everywhere", [
    { keys: ["mod+k", "mod+p"], label: "Search or jump to", run: () => (open ? close() : show(true)) },
  ]);
  return (
    <Dialog
      opened={open}
      onClose={close}
      meanwhile={<TypedAhead typed={typed} onType={setTyped} />}
      withCloseButton={false}
      // At once: the next key already means the place again.
      transitionProps={{ duration: 0 }}
      padding={0}
      size={560}
      classNames={{ body: "palette" }}
      attributes={{ content: { "aria-label": "Search or jump to" } }}
    >
      <Boundary title="The search">
        <PaletteBody typed={typed} onType={setTyped} onClose={close} />
      </Boundary>
    </Dialog>
  );
};

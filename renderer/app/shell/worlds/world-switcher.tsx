import { IconChevronDown, IconClock, IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { loading } from "../../../components/loading.tsx";
import { Origin } from "../../../components/origin.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { late } from "../../../lib/late.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { useWorld } from "../../world.ts";
import { worldsQuery } from "../../world-queries.ts";
import { BarPopover } from "../bar-popover.tsx";
import { useDeleteWorld, useResetWorld } from "./mutations.ts";
import { PinButton } from "./pin-button.tsx";
import { contentsOf, useIsEnding, useLeftWords, useThisWorld } from "./use-worlds.ts";
import { type WorldQuestion as Question, useWorldsUi } from "./worlds-ui.ts";

const Words = ({ act, world }: Question) => {
  const here = useWorld();
  const row = useQuery(worldsQuery()).data?.find(({ name }) => name === world);
  const contents = row ? contentsOf(row) : "everything";
  if (act === "delete")
    return (
      <>
        <p>
          It ends with what is in it now: <b>{contents}</b>, its calls and deliveries. A checkpoint is kept, so that
          this can be undone.
        </p>
        <p className="t2">
          The next call to its name, whoever makes it, begins a new world.
          {here === world && " This window goes to the world default."}
        </p>
      </>
    );
  return (
    <>
      <p>
        What is in it now is gone: <b>{contents}</b>, its calls and deliveries. A checkpoint is kept, so that this can
        be undone.
      </p>
      <p className="t2">
        It begins again as every fresh world does: the same identifiers, keys and content, its clock at now and its
        switches as usual. Its subscriptions and what waits to be delivered end <Origin of="assumption" id="D82" />.
      </p>
    </>
  );
};

const Asked = ({ question, onClose }: { question: Question; onClose: () => void }) => {
  const { act, world } = question;
  const show = useWorldsUi((state) => state.show);
  const reset = useResetWorld();
  const remove = useDeleteWorld();
  const go = () => {
    onClose();
    if (act === "reset") reset.mutate(world);
    else remove.mutate(world);
  };
  const copyFirst = () => {
    onClose();
    show({ is: "copy", world });
  };
  return (
    <div className="question">
      <Words act={act} world={world} />
      <div className="row wrap question-acts">
        <Button look="quiet" onClick={copyFirst}>
          Copy it first
        </Button>
        <span className="grow" />
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" onClick={go}>
          {act === "reset" ? "Reset" : "Delete"} {world}
        </Button>
      </div>
    </div>
  );
};

/** Asks before a world is reset or deleted, in words that say what is lost. */
export const WorldQuestion = () => {
  const question = useWorldsUi((state) => state.question);
  const ask = useWorldsUi((state) => state.ask);
  const close = () => ask(null);
  return (
    <Dialog
      opened={question !== null}
      onClose={close}
      title={question && `${question.act === "reset" ? "Reset" : "Delete"} ${question.world}?`}
      size={480}
    >
      {question && <Asked question={question} onClose={close} />}
    </Dialog>
  );
};

const { Part: WorldsPanel } = late(async () => (await import("./worlds-panel.tsx")).WorldsPanel, loading("the worlds"));

const Kept = ({ row }: { row: World }) => {
  const left = useLeftWords(row);
  const ending = useIsEnding(row);
  return (
    <>
      <span
        className={`t12 world-left ${ending ? "st wait" : "t3"}`}
        title="60 minutes after its last call, on real time (D82)"
      >
        {ending && <Icon of={IconClock} size={14} />}
        {row.pinned ? "pinned" : left}
      </span>
      <PinButton row={row} />
    </>
  );
};

const titleOf = (world: string) =>
  world === DEFAULT_WORLD
    ? "The world of calls without x-sandbox-tenant; it never resets by itself (D80)"
    : `x-sandbox-tenant: ${world}`;

/** Which world this window looks at, how long it is kept, and the way to the others. */
export const WorldSwitcher = () => {
  const world = useWorld();
  const row = useThisWorld();
  const { mode, show } = useWorldsUi();
  const toggle = (open: boolean) => show(open ? { is: "list" } : null);
  useKeys("Everywhere", [{ keys: ["w"], label: "Worlds", run: () => toggle(true) }]);
  return (
    <>
      <BarPopover
        label="Worlds"
        width={480}
        open={mode !== null}
        onChange={toggle}
        button={
          <button
            type="button"
            className="world"
            title={titleOf(world)}
            aria-haspopup="dialog"
            aria-expanded={mode !== null}
            onClick={() => toggle(mode === null)}
          >
            <Icon of={IconWorld} />
            <span className="sr">World </span>
            <span className="el">{world}</span>
            <Icon of={IconChevronDown} size={12} />
          </button>
        }
      >
        {mode && <WorldsPanel mode={mode} />}
      </BarPopover>
      {row && row.name !== DEFAULT_WORLD && <Kept row={row} />}
      <WorldQuestion />
    </>
  );
};

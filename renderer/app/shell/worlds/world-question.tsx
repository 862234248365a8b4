import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Origin } from "../../../components/origin.tsx";
import { useWorld } from "../../world.ts";
import { worldsQuery } from "../../world-queries.ts";
import { useDeleteWorld, useResetWorld } from "./mutations.ts";
import { contentsOf } from "./world-words.ts";
import { type WorldQuestion as Question, useWorldsUi } from "./worlds-ui.ts";

const Words = ({ act, world }: Question) => {
  const here = useWorld();
  const row = useQuery(worldsQuery()).data?.find(({ name }) => name === world);
  const contents = row ? contentsOf(row) : "everything";
  if (act === "delete")
    return (
      <>
        <p>
          It ends with what is in it now: <b>{contents}</b>, their exchanges and deliveries. A checkpoint is kept, so
          that this can be undone.
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
        What is in it now is gone: <b>{contents}</b>, their exchanges and deliveries. A checkpoint is kept, so that this
        can be undone.
      </p>
      <p className="t2">
        It begins again as every fresh world does: the same identifiers, keys and content, its clock at now and its
        switches as usual. Its subscriptions and what waits to be delivered end{" "}
        <Origin of="assumption" id="D82" tight />.
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

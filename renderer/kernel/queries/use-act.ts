import { useMutation } from "@tanstack/react-query";
import type { ControlRequest } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { notify } from "../notices/notices.tsx";
import { useWorld } from "../world/world.ts";
import { type Entity, useChanged } from "./changes.ts";

interface ActOptions<Asked, Answer> {
  readonly changes: readonly Entity[];
  /** Subject of the notice about a failure, when nothing on the screen shows it. */
  readonly failed?: string;
  readonly onDone?: (answer: Answer, asked: Asked, world: string) => void;
}

/** Something that changes this window's world; what it changes is read again, also when it fails. */
export const useAct = <Asked, Answer>(
  act: (world: string, asked: Asked) => Promise<Answer>,
  { changes, failed, onDone }: ActOptions<Asked, Answer>,
) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (asked: Asked) => act(world, asked),
    onSuccess: (answer, asked) => onDone?.(answer, asked, world),
    onError: (error) => {
      if (failed !== undefined) notify.failed(failed, error);
    },
    onSettled: () => changed(changes),
  });
};

type Operation = Parameters<typeof callControl>[0];
type AnswerOf<Id extends Operation> = ReturnType<typeof callControl<Id>> extends Promise<infer Answer> ? Answer : never;

/** A control operation that changes this window's world. */
export const useControl = <Id extends Operation>(
  id: Id,
  options: ActOptions<Omit<ControlRequest<Id>, "world">, AnswerOf<Id>>,
) => useAct((world, asked) => callControl(id, { ...asked, world } as ControlRequest<Id>), options);

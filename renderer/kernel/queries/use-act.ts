import { useMutation } from "@tanstack/react-query";
import type { ControlRequest, ControlResponse, Operation } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";
import { notify } from "../notices/notices.tsx";
import { useWorld } from "../world/world.ts";
import { type Entity, useChanged } from "./changes.ts";

interface ActOptions<Input, Result> {
  readonly changes: readonly Entity[];
  /** Subject of the notice about a failure, when nothing on the screen shows it. */
  readonly failed?: string;
  readonly onDone?: (result: Result, input: Input, world: string) => void;
}

/** Something that changes this window's world; the changed data is read again, even if it fails. */
export const useAct = <Input, Result>(
  act: (world: string, input: Input) => Promise<Result>,
  { changes, failed, onDone }: ActOptions<Input, Result>,
) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (input: Input) => act(world, input),
    onSuccess: (result, input) => onDone?.(result, input, world),
    onError: (error) => {
      if (failed !== undefined) notify.failed(failed, error);
    },
    onSettled: () => changed(changes),
  });
};

/** A control operation that changes this window's world. */
export const useControl = <Id extends Operation>(
  id: Id,
  options: ActOptions<Omit<ControlRequest<Id>, "world">, ControlResponse<Id>>,
) => useAct((world, input) => callControl(id, { ...input, world } as ControlRequest<Id>), options);

import { useMutation } from "@tanstack/react-query";
import { notify } from "../../kernel/notices/notices.tsx";
import { type Entity, useChanged } from "../../kernel/queries/changes.ts";
import { useWorld } from "../../kernel/world/world.ts";
import type { ControlRequest } from "../../lib/control-query.ts";
import { callControl } from "../../lib/service-client.ts";

interface ControlOptions {
  readonly changes: readonly Entity[];
  /** Subject of the notice about a failure, when nothing on the screen shows it. */
  readonly failed?: string;
}

/** A control operation that changes this world. */
export const useControl = <Id extends Parameters<typeof callControl>[0]>(
  id: Id,
  { changes, failed }: ControlOptions,
) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (asked: Omit<ControlRequest<Id>, "world">) =>
      callControl(id, { ...asked, world } as ControlRequest<Id>),
    onError: (error) => {
      if (failed !== undefined) notify.failed(failed, error);
    },
    onSettled: () => changed(changes),
  });
};

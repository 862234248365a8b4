import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Asked } from "../lib/control-query.ts";
import { callControl } from "../lib/service-client.ts";
import { notify } from "./notices.tsx";
import { worldKeys } from "./query-keys.ts";
import { useWorld } from "./world.ts";

interface Ways {
  /** What is read again afterwards, whether it was done or not. */
  readonly stale: (keys: ReturnType<typeof worldKeys>) => readonly QueryKey[];
  /** What is told that it failed, where no place on the screen says so. */
  readonly failed?: string;
}

/** An operation of the control plane that changes something in this world. */
export const useControl = <Id extends Parameters<typeof callControl>[0]>(id: Id, { stale, failed }: Ways) => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (asked: Omit<Asked<Id>, "world">) => callControl(id, { ...asked, world } as Asked<Id>),
    onError: (error) => {
      if (failed !== undefined) notify.failed(failed, error);
    },
    onSettled: () => Promise.all(stale(worldKeys(world)).map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
};

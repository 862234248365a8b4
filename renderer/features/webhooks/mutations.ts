import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify } from "../../app/notices.tsx";
import { worldKeys } from "../../app/query-keys.ts";
import { useWorld } from "../../app/world.ts";
import { announce } from "../../lib/announce.ts";
import { callControl } from "../../lib/service-client.ts";

/** Pauses a subscription or resumes it. */
export const usePause = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, paused }: { readonly id: string; readonly paused: boolean }) =>
      callControl(paused ? "subscriptions.pause" : "subscriptions.resume", { id, world }),
    onSuccess: (_answer, { paused }) => {
      announce(paused ? "Subscription paused" : "Subscription resumed");
      return client.invalidateQueries({ queryKey: worldKeys(world).subscriptions() });
    },
    onError: (error, { paused }) => notify.failed(paused ? "Pause" : "Resume", error),
  });
};

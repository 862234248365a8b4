import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { requestsReplay } from "../../../../sandbox/contract/control/operations.ts";
import type { RequestOf, ResponseOf } from "../../../../sandbox/contract/operation.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { callControl } from "../../../lib/service-client.ts";
import { inWorld } from "../../../lib/world-address.ts";

/** What is sent in place of what was kept; what is left out is sent as it was. */
export type Changes = Omit<RequestOf<typeof requestsReplay>, "world" | "id">;
type Sent = ResponseOf<typeof requestsReplay>;

const wordsOf = ({ status, error_code, differs_at }: Sent): string => {
  const answered =
    status === 0 ? "It was not answered." : `It was answered ${status}${error_code ? ` ${error_code}` : ""}.`;
  if (differs_at === null) return `${answered} The answer is the same as before.`;
  return `${answered} It differs first at ${differs_at || "the whole body"}.`;
};

/** Sends an exchange again and opens what came of it. */
export const useSendAgain = (id: string, onSent?: () => void) => {
  const world = useWorld();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Changes) => callControl("requests.replay", { ...changes, world, id }),
    onSuccess: (sent) => {
      onSent?.();
      const isHere = sent.world === world;
      notify.done({
        title: isHere ? "Sent again" : `Sent to the world ${sent.world}`,
        detail: wordsOf(sent),
        ...(isHere
          ? { link: { href: hrefs.request(id), label: "The one before" } }
          : { link: { href: inWorld(hrefs.request(sent.id), sent.world), label: "Open it there" } }),
      });
      if (isHere) navigate(hrefs.request(sent.id));
      return client.invalidateQueries({ queryKey: worldKeys(world).requests("list") });
    },
  });
};

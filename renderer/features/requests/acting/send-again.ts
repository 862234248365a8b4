import { useMutation } from "@tanstack/react-query";
import type { requestsReplay } from "../../../../sandbox/contract/control/operations.ts";
import type { RequestOf, ResponseOf } from "../../../../sandbox/contract/operation.ts";
import { useChanged } from "../../../app/changes.ts";
import { placeNow, useGoOn } from "../../../app/go-on.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { callControl } from "../../../lib/service-client.ts";

/** What is sent in place of what was kept; what is left out is sent as it was. */
export type Changes = Omit<RequestOf<typeof requestsReplay>, "world" | "id">;
type Sent = ResponseOf<typeof requestsReplay>;

const wordsOf = ({ status, error_code, differs_at }: Sent): string => {
  const answered = status === 0 ? "No response." : `Response: ${status}${error_code ? ` ${error_code}` : ""}.`;
  if (differs_at === null) return `${answered} Same response as before.`;
  return `${answered} The first difference is at ${differs_at || "the whole body"}.`;
};

interface Ways {
  readonly onSent?: () => void;
  /** Whether its error is shown where it was asked for. */
  readonly showsRefusal?: boolean;
}

/** Sends an exchange again and opens what came of it, where it is of this world. */
export const useSendAgain = (id: string, { onSent, showsRefusal = false }: Ways = {}) => {
  const world = useWorld();
  const goOn = useGoOn();
  const changed = useChanged();
  return useMutation({
    mutationFn: (changes: Changes) => callControl("requests.replay", { ...changes, world, id }),
    onMutate: placeNow,
    onSuccess: (sent, _changes, askedAt) => {
      onSent?.();
      const detail = wordsOf(sent);
      const to = { href: hrefs.request(sent.id), world: sent.world };
      if (sent.world === world) {
        const before = { href: hrefs.request(id), label: "Original call", world };
        goOn(askedAt, { ...to, label: "Open it" }, { title: "Sent again", detail, link: before });
      } else notify.done({ title: `Sent to world ${sent.world}`, detail, link: { ...to, label: "Open there" } });
      return changed(["call"]);
    },
    onError: (error, _changes, askedAt) => {
      // Where it is shown, and was not left, there is no need to.
      if (showsRefusal && placeNow() === askedAt) return;
      notify.failed("Replay", error, { href: hrefs.request(id), label: "Open the call", world });
    },
  });
};

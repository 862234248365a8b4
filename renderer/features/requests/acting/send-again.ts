import { useMutation } from "@tanstack/react-query";
import type { requestsReplay } from "../../../../sandbox/contract/control/operations.ts";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import type { RequestOf, ResponseOf } from "../../../../sandbox/contract/operation.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { currentLocation, useNavigateAfter } from "../../../kernel/addresses/navigate-after.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { useChanged } from "../../../kernel/queries/changes.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { callControl } from "../../../lib/service-client.ts";

/** What is sent in place of what was kept; what is left out is sent as it was. */
export type Changes = Omit<RequestOf<typeof requestsReplay>, "world" | "id">;
type Sent = ResponseOf<typeof requestsReplay>;

/** How its answer differs from the one before. @param was the status of that */
const wordsOf = ({ status, error_code, differs_at }: Sent, was: number): string => {
  const now = [status || "no response", error_code].filter(Boolean).join(" ");
  if (status !== was) return `Status changed from ${was || "no response"} to ${now}.`;
  if (differs_at === null) return `${now} again, with the same body.`;
  return `${now} again. ${differs_at === "" ? "The body is different." : `The first difference in the body is at ${differs_at}.`}`;
};

interface Ways {
  readonly onSent?: () => void;
  /** Whether its error is shown where it was asked for. */
  readonly showsRefusal?: boolean;
}

/** Sends an exchange again and opens what came of it, where it is of this world. */
export const useSendAgain = (
  { id, status }: Pick<RequestRow, "id" | "status">,
  { onSent, showsRefusal = false }: Ways = {},
) => {
  const world = useWorld();
  const goOn = useNavigateAfter();
  const changed = useChanged();
  return useMutation({
    mutationFn: (changes: Changes) => callControl("requests.replay", { ...changes, world, id }),
    onMutate: currentLocation,
    onSuccess: (sent, changes, askedAt) => {
      onSent?.();
      const detail = wordsOf(sent, status);
      const to = { href: hrefs.request(sent.id), world: sent.world };
      if (sent.world === world) {
        const before = { href: hrefs.request(id), label: "Original call", world };
        const title = Object.keys(changes).length === 0 ? "Call replayed" : "Call sent";
        goOn(askedAt, { ...to, label: "Open call" }, { title, detail, link: before });
      } else notify.done({ title: `Sent to world ${sent.world}`, detail, link: { ...to, label: "Open there" } });
      return changed(["call"]);
    },
    onError: (error, _changes, askedAt) => {
      // Where it is shown, and was not left, there is no need to.
      if (showsRefusal && currentLocation() === askedAt) return;
      notify.failed("Replay call", error, { href: hrefs.request(id), label: "Open call", world });
    },
  });
};

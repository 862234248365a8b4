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

/** Values that replace the recorded ones; absent ones stay. */
export type CallChanges = Omit<RequestOf<typeof requestsReplay>, "world" | "id">;
type Sent = ResponseOf<typeof requestsReplay>;

/** Describes the difference from the previous response. @param was its status */
const resultText = ({ status, error_code, differs_at }: Sent, was: number): string => {
  const now = [status || "no response", error_code].filter(Boolean).join(" ");
  if (status !== was) return `Status changed from ${was || "no response"} to ${now}.`;
  if (differs_at === null) return `${now} again, with the same body.`;
  return `${now} again. ${differs_at === "" ? "The body is different." : `The first difference in the body is at ${differs_at}.`}`;
};

interface SendOptions {
  readonly onSent?: () => void;
  /** True if the caller shows the error itself. */
  readonly showsRefusal?: boolean;
}

/** Sends a call again and opens the new one if it is in this world. */
export const useSendAgain = (
  { id, status }: Pick<RequestRow, "id" | "status">,
  { onSent, showsRefusal = false }: SendOptions = {},
) => {
  const world = useWorld();
  const navigateAfter = useNavigateAfter();
  const changed = useChanged();
  return useMutation({
    mutationFn: (changes: CallChanges) => callControl("requests.replay", { ...changes, world, id }),
    onMutate: currentLocation,
    onSuccess: (sent, changes, askedAt) => {
      onSent?.();
      const detail = resultText(sent, status);
      const to = { href: hrefs.request(sent.id), world: sent.world };
      if (sent.world === world) {
        const before = { href: hrefs.request(id), label: "Original call", world };
        const title = Object.keys(changes).length === 0 ? "Call replayed" : "Call sent";
        navigateAfter(askedAt, { ...to, label: "Open call" }, { title, detail, link: before });
      } else notify.done({ title: `Sent to world ${sent.world}`, detail, link: { ...to, label: "Open there" } });
      return changed(["call"]);
    },
    onError: (error, _changes, askedAt) => {
      // The caller shows the error, unless the page was left.
      if (showsRefusal && currentLocation() === askedAt) return;
      notify.failed("Replay call", error, { href: hrefs.request(id), label: "Open call", world });
    },
  });
};

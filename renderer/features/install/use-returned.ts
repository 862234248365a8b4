import { useEffect } from "react";
import { installParams } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { forgetSentAlong, returnedTo } from "./consent-page.ts";
import { useInstall } from "./install-store.ts";
import { useTakeCode } from "./mutations.ts";

/** Takes what the consent page sent back out of the address: a code goes on in the flow of the side that asked. */
export const useReturned = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const world = useWorld();
  const takeCode = useTakeCode();
  const { show, tellReturned } = useInstall();
  useEffect(() => {
    const returned = returnedTo(values, world);
    if (!returned) return;
    show(returned.side);
    if (returned.kind === "code") void takeCode(returned.side, returned.code, returned.client_id);
    tellReturned(returned.kind === "code" ? null : { side: returned.side, kind: returned.kind });
    forgetSentAlong(world);
    // Who waits for the key still does.
    const { back, back_label } = returned.kind === "foreign" ? values : installParams.parse(returned.waiting);
    change({ code: "", state: "", error: "", back, back_label });
  }, [values, change, world, show, takeCode, tellReturned]);
};

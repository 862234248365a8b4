import { useEffect } from "react";
import { useSearchParams } from "wouter";
import { useWorld } from "../../app/world.ts";
import { forgetSentAlong, returnedTo } from "./consent-page.ts";
import { useInstall } from "./install-store.ts";
import { useTakeCode } from "./mutations.ts";

/** Takes what the consent page sent back out of the address: a code goes on in the flow of the side that asked. */
export const useReturned = (): void => {
  const [search, setSearch] = useSearchParams();
  const world = useWorld();
  const takeCode = useTakeCode();
  const { show, tellReturned } = useInstall();
  useEffect(() => {
    const returned = returnedTo(search, world);
    if (!returned) return;
    show(returned.side);
    if (returned.kind === "code") void takeCode(returned.side, returned.code, returned.client_id);
    tellReturned(returned.kind === "code" ? null : { side: returned.side, kind: returned.kind });
    forgetSentAlong(world);
    setSearch(
      (before) => {
        for (const name of ["code", "state", "error"]) before.delete(name);
        // Who waits for the key still does.
        if (returned.kind !== "foreign")
          for (const [name, value] of new URLSearchParams(returned.waiting)) before.set(name, value);
        return before;
      },
      { replace: true },
    );
  }, [search, setSearch, world, show, takeCode, tellReturned]);
};

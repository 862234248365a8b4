import { isWorldToken } from "../../sandbox/contract/access.ts";
import { confine } from "../lib/confined.ts";
import { callControl } from "../lib/service-client.ts";
import { ServiceFailure } from "../lib/service-failure.ts";
import { controlToken } from "../lib/session.ts";
import { inWorld, worldIn } from "../lib/world-address.ts";
import { DEFAULT_WORLD } from "../lib/world-name.ts";

/** Finds out what a world token opens; an address that names no world leads into its own. Call once, before the first render. */
export const confineWindow = async (): Promise<void> => {
  const token = controlToken();
  if (token === null || !isWorldToken(token)) return;
  try {
    const { world, scope, ...current } = await callControl("tokens.current", { world: DEFAULT_WORLD });
    if (world === null || scope === "operator") return;
    confine({ ...current, world, scope });
    const { pathname, search, hash } = window.location;
    if (worldIn(search) === null)
      window.history.replaceState(window.history.state, "", inWorld(pathname + search + hash, world));
  } catch (error) {
    // One that is refused was dropped, and the page asks for another.
    if (!(error instanceof ServiceFailure)) throw error;
  }
};

import { useEffect } from "react";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { useWorld } from "../world/world.ts";

/** Titles of mounted components, the place's own first; the last one wins. */
const told: { readonly title: string }[] = [];

const write = () => {
  document.title = told.at(-1)?.title ?? "Integrations Explorer";
};

/**
 * Sets the window's title: "J-20418 · Jobs · harbour-qa · Integrations Explorer"; the world default is left out. On
 * unmount, the previous title returns.
 */
export const usePageTitle = (...parts: ReadonlyArray<string | null | undefined>): void => {
  const world = useWorld();
  const title = [...parts, world === DEFAULT_WORLD ? null : world, "Integrations Explorer"].filter(Boolean).join(" · ");
  useEffect(() => {
    const entry = { title };
    told.push(entry);
    write();
    return () => {
      told.splice(told.indexOf(entry), 1);
      write();
    };
  }, [title]);
};

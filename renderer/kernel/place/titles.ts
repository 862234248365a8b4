import { useEffect } from "react";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { useWorld } from "../world/world.ts";

/** Titles of mounted components, the place's own first; the last one wins. */
const titles: { readonly title: string }[] = [];

const write = () => {
  document.title = titles.at(-1)?.title ?? "Integrations Explorer";
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
    titles.push(entry);
    write();
    return () => {
      titles.splice(titles.indexOf(entry), 1);
      write();
    };
  }, [title]);
};

import { useEffect } from "react";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { useWorld } from "../world/world.ts";

/** The titles of what is drawn, the place's own first; the last one is what a person looks at. */
const told: { readonly title: string }[] = [];

const write = () => {
  document.title = told.at(-1)?.title ?? "Integrations Explorer";
};

/**
 * The window's title: "J-20418 · Jobs · harbour-qa · Integrations Explorer"; the world default goes without saying. When
 * what asked for it goes, the title is again that of what it was in.
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

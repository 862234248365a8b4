import { useEffect } from "react";
import { DEFAULT_WORLD } from "../lib/world-name.ts";
import { useWorld } from "./world.ts";

/** The window's title: "J-20418 · Jobs · harbour-qa · Integrations Explorer"; the world default goes without saying. */
export const usePageTitle = (...parts: ReadonlyArray<string | null | undefined>): void => {
  const world = useWorld();
  const title = [...parts, world === DEFAULT_WORLD ? null : world, "Integrations Explorer"].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
};

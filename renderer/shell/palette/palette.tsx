import { useSpotlight } from "@mantine/spotlight";
import { useEffect, useState } from "react";
import { useKeys } from "../../components/use-keys.ts";
import { late } from "../../lib/late.ts";
import { searching, searchStore } from "./store.ts";

const { Part: Dialog, preload } = late(async () => (await import("./palette-body.tsx")).PaletteDialog);

/** By then a page is of use, so that the code of the search delays nothing. */
const SOON_MS = 400;

/** Ctrl/Cmd+K (and +P): places, jobs, orders, calls, commands. Its code is fetched soon, or when it is asked for. */
export const Palette = () => {
  useKeys("Everywhere", [{ keys: ["mod+k", "mod+p"], label: "Search or jump to", run: searching.toggle }]);
  const { opened } = useSpotlight(searchStore);
  const [wanted, want] = useState(opened);
  if (opened && !wanted) want(true);
  useEffect(() => {
    // Where it cannot be had nobody has asked for it yet.
    const timer = setTimeout(preload, SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return wanted && <Dialog />;
};

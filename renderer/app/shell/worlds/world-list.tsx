import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { NothingMatches } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { useWorld } from "../../world.ts";
import { worldsQuery } from "../../world-queries.ts";
import { useFocusOnMount } from "../use-focus-on-mount.ts";
import { inOrder } from "./use-worlds.ts";
import { WorldLine } from "./world-line.tsx";
import { useWorldsUi } from "./worlds-ui.ts";

/** As many are drawn; the rest is found by typing. */
const MOST_DRAWN = 60;
/** From this many on there is something to search in. */
const MANY = 8;

const moveFocus = (event: KeyboardEvent<HTMLUListElement>) => {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link.closest("li")?.contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
};

const Listed = ({ data }: { data: readonly World[] }) => {
  const current = useWorld();
  const show = useWorldsUi((state) => state.show);
  const [typed, setTyped] = useState("");
  const box = useFocusOnMount<HTMLDivElement>("a[aria-current]");
  const wanted = typed.trim().toLowerCase();
  const found = inOrder(data, current).filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div ref={box}>
      <div className="pop-head">
        <h2 className="h2">Worlds</h2>
        <span className="t12 t3">{formatCount(data.length)}</span>
        <span className="grow" />
        <Button small icon={IconPlus} onClick={() => show({ is: "new" })}>
          New world
        </Button>
      </div>
      {data.length > MANY && (
        <div className="pop-search">
          <label className="search">
            <span className="sr">Find a world</span>
            <input
              type="search"
              placeholder="Find a world"
              value={typed}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            {typed !== "" && <IconButton small icon={IconX} label="Clear the filter" onClick={() => setTyped("")} />}
          </label>
        </div>
      )}
      {found.length === 0 ? (
        <NothingMatches what={`No world is called “${typed.trim()}”`} onClear={() => setTyped("")} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveElementInteractions: arrows move between the links in it
        <ul className="world-list" aria-label="Worlds" onKeyDown={moveFocus}>
          {found.slice(0, MOST_DRAWN).map((row) => (
            <WorldLine key={row.name} row={row} current={row.name === current} />
          ))}
        </ul>
      )}
      {found.length > MOST_DRAWN && (
        <p className="pop-foot t12 t3">{plural(found.length - MOST_DRAWN, "more world")}: type to find one.</p>
      )}
    </div>
  );
};

/** All worlds of the service, to go to one or to do something with it. */
export const WorldList = () => {
  // What others did with worlds is told by no feed.
  const worlds = useQuery({ ...worldsQuery(), refetchOnMount: "always" });
  return (
    <Read of={worlds} what="the worlds">
      {(data) => <Listed data={data} />}
    </Read>
  );
};

import { createElement } from "react";
import type { PlaceProps } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { loading } from "../../components/loading.tsx";
import { Split } from "../../components/split.tsx";
import { late } from "../../lib/late.ts";
import { WorldsList } from "./list/worlds-list.tsx";

const detail = late(async () => (await import("./detail/world-detail.tsx")).WorldDetail, loading("the world", 6));
const faults = late(async () => (await import("./faults/faults-page.tsx")).FaultsPage, loading("the faults", 6));
const compare = late(
  async () => (await import("./compare/compare-page.tsx")).ComparePage,
  loading("the comparison", 6),
);
const parts = { faults, compare } as const;
export const preloadDetail = detail.preload;

/** Worlds: every private copy of the sandbox there is, and right one of them: this window's unless another is open. */
export const Place = ({ id, tab }: PlaceProps) => {
  const here = useWorld();
  const name = id ?? here;
  return (
    <Split
      name="worlds"
      label="Worlds"
      rest="This world"
      initial={288}
      least={240}
      list={<WorldsList shown={name} />}
      detail={
        tab === "faults" || tab === "compare" ? (
          createElement(parts[tab].Part, { key: name, name })
        ) : (
          <detail.Part key={name} name={name} shown={tab} />
        )
      }
    />
  );
};

import { IconToggleLeft } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Origin as OriginName } from "../../sandbox/contract/operation.ts";
import { hrefs } from "../app/places.ts";
import { useWorld } from "../app/world.ts";
import { Icon } from "./icon.tsx";

interface OriginProps {
  readonly of: OriginName;
  /** The decision an assumption rests on, for example "D42". */
  readonly id?: string;
  /** Whether the assumption can be switched for this world: then it leads to the switch, and lies in nothing that is pressed. */
  readonly switchable?: boolean;
}

const explained: Readonly<Record<OriginName, string>> = {
  contract: "The contract says so",
  extension: "A sandbox convenience outside the public contract",
  assumption: "The contract is silent here",
};

/** What was decided, in its own words; they are fetched when somebody asks. */
const meaningOf = async (id: string): Promise<string | null> => {
  const { decisionOf, isDecision } = await import("../../sandbox/contract/openapi/decisions.ts");
  return isDecision(id) ? decisionOf(id).meaning.replaceAll("`", "") : null;
};

const useMeaning = (id: string | undefined) => {
  const [meaning, setMeaning] = useState<string | null>(null);
  const ask = () => {
    if (id !== undefined && meaning === null)
      // Without its words it is still named.
      meaningOf(id).then(setMeaning, () => undefined);
  };
  return { meaning, asked: { onPointerEnter: ask, onFocus: ask } };
};

/** Where a behaviour comes from: solid is agreed, dashed is assumed and names its decision, dotted is outside. */
export const Origin = ({ of, id, switchable = false }: OriginProps) => {
  const world = useWorld();
  const { meaning, asked } = useMeaning(id);
  const said = meaning === null ? explained[of] : `${explained[of]}. ${id}: ${meaning}`;
  const words = (
    <>
      {of}
      {id && <b>{id}</b>}
    </>
  );
  return switchable && id ? (
    <Link
      href={hrefs.assumption(world, id)}
      className={`og ${of}`}
      title={meaning === null ? `${said}; set it for this world` : `${said} Set it for this world.`}
      {...asked}
    >
      {words}
      <Icon of={IconToggleLeft} size={12} />
      <span className="sr">switchable</span>
    </Link>
  ) : (
    <span className={`og ${of}`} title={said} {...asked}>
      {words}
    </span>
  );
};

import { Tooltip } from "@mantine/core";
import { IconToggleLeft } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Origin as OriginName } from "../../../sandbox/contract/operation.ts";
import { Icon } from "../../components/icon.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../kernel/world/world.ts";

interface OriginProps {
  readonly of: OriginName;
  /** The decision an assumption rests on, for example "D42": it can be focused, so it lies in nothing that is pressed. */
  readonly id?: string;
  /** Whether the assumption can be switched for this world: then it leads to the switch. */
  readonly switchable?: boolean;
}

const explained: Readonly<Record<OriginName, string>> = {
  contract: "Defined by the contract",
  extension: "Sandbox extension, not part of the public contract",
  assumption: "Not defined by the contract",
};

/** What was decided, in its own words; they are fetched when somebody asks. */
const meaningOf = async (id: string): Promise<string | null> => {
  const { getDecision, isDecision } = await import("../../../sandbox/contract/openapi/decisions.ts");
  return isDecision(id) ? getDecision(id).meaning.replaceAll("`", "") : null;
};

interface DecidedProps extends Pick<OriginProps, "of"> {
  readonly id: string;
  readonly switchable: boolean;
}

/** One that rests on a decision says its words where it is pointed at, focused or pressed. */
const Decided = ({ of, id, switchable }: DecidedProps) => {
  const world = useWorld();
  const [meaning, setMeaning] = useState<string | null>(null);
  const ask = () => {
    // Without its words it is still named.
    if (meaning === null) meaningOf(id).then(setMeaning, () => undefined);
  };
  const said = meaning === null ? `${explained[of]}.` : `${explained[of]}. ${id}: ${meaning}`;
  const shared = { className: `og ${of}`, onPointerEnter: ask, onFocus: ask };
  const words = (
    <>
      {of} <b>{id}</b>
    </>
  );
  return (
    <Tooltip label={switchable ? `${said} Change it for this world.` : said} maw={360}>
      {switchable ? (
        <Link href={hrefs.assumption(world, id)} {...shared}>
          {words}
          <Icon of={IconToggleLeft} size={12} />
          <span className="sr">switchable</span>
        </Link>
      ) : (
        <button type="button" {...shared}>
          {words}
        </button>
      )}
    </Tooltip>
  );
};

/** Where a behaviour comes from: solid is agreed, dashed is assumed and names its decision, dotted is outside. */
export const Origin = ({ of, id, switchable = false }: OriginProps) =>
  id === undefined ? (
    <span className={`og ${of}`} title={explained[of]}>
      {of}
    </span>
  ) : (
    <Decided {...{ of, id, switchable }} />
  );

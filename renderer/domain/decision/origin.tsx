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
  /** The assumption's decision, for example "D42". It is focusable, so don't put it inside a button or link. */
  readonly id?: string;
  /** True if this world has a setting for the assumption; the badge then links to it. */
  readonly switchable?: boolean;
}

export const originMeanings: Readonly<Record<OriginName, string>> = {
  contract: "Defined by the contract",
  extension: "Sandbox extension, not part of the public contract",
  assumption: "Not defined by the contract",
};

/** Returns a decision's text, which is fetched on demand. */
const readMeaning = async (id: string): Promise<string | null> => {
  const { getDecision, isDecision } = await import("../../../sandbox/contract/openapi/decisions.ts");
  return isDecision(id) ? getDecision(id).meaning.replaceAll("`", "") : null;
};

interface DecidedProps extends Pick<OriginProps, "of"> {
  readonly id: string;
  readonly switchable: boolean;
}

/** A badge that shows its decision on hover, focus or press. */
const Decided = ({ of, id, switchable }: DecidedProps) => {
  const world = useWorld();
  const [meaning, setMeaning] = useState<string | null>(null);
  const ask = () => {
    // Without its text, the decision is still named.
    if (meaning === null) readMeaning(id).then(setMeaning, () => undefined);
  };
  const explanation = meaning === null ? `${originMeanings[of]}.` : `${originMeanings[of]}. ${id}: ${meaning}`;
  const shared = { className: `og ${of}`, onPointerEnter: ask, onFocus: ask };
  const words = (
    <>
      {of} <b>{id}</b>
    </>
  );
  return (
    <Tooltip label={switchable ? `${explanation} Change it for this world.` : explanation} maw={360}>
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

/** Origin of a behaviour: solid is the contract, dashed is an assumption with its decision, dotted is an extension. */
export const Origin = ({ of, id, switchable = false }: OriginProps) =>
  id === undefined ? (
    <span className={`og ${of}`} title={originMeanings[of]}>
      {of}
    </span>
  ) : (
    <Decided {...{ of, id, switchable }} />
  );

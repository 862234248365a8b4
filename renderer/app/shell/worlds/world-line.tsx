import { IconCheck, IconCopy, IconPin, IconRestore, IconTrash } from "@tabler/icons-react";
import { Link } from "wouter";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { IconButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Time } from "../../../components/time.tsx";
import { formatSpan } from "../../../lib/formatting.ts";
import { withoutWire } from "../../../lib/wire-address.ts";
import { namingWorld, withoutWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { usePinWorld } from "./mutations.ts";
import { useLeftWords } from "./use-worlds.ts";
import { contentsOf } from "./world-words.ts";
import { useWorldsUi } from "./worlds-ui.ts";

/** What is in sight, in another world: a copy has the same identifiers, and so has every fresh world (D83). */
const sameInWorld = (world: string) =>
  namingWorld(window.location.pathname + withoutWire(withoutWorld(window.location.search)), world);

const Acts = ({ row }: { row: World }) => {
  const { show, ask } = useWorldsUi();
  const { name, pinned } = row;
  const pin = usePinWorld();
  const isDefault = name === DEFAULT_WORLD;
  return (
    <span className="row row-1">
      {!isDefault && (
        <IconButton
          small
          className="pin"
          icon={IconPin}
          label={pinned ? `Let ${name} reset when idle` : `Keep ${name} from resetting`}
          pressed={pinned}
          onClick={() => pin.mutate({ world: name, pinned: !pinned })}
        />
      )}
      <IconButton small icon={IconCopy} label={`Copy ${name}`} onClick={() => show({ is: "copy", world: name })} />
      <IconButton small icon={IconRestore} label={`Reset ${name}`} onClick={() => ask({ act: "reset", world: name })} />
      {!isDefault && (
        <IconButton
          small
          icon={IconTrash}
          label={`Delete ${name}`}
          onClick={() => ask({ act: "delete", world: name })}
        />
      )}
    </span>
  );
};

const Kept = ({ row }: { row: World }) => {
  const left = useLeftWords(row);
  return <span className="t12 t3 nw">{row.pinned ? "pinned" : left}</span>;
};

const Facts = ({ row }: { row: World }) => (
  <span className="t12 t3 el">
    {contentsOf(row)}
    {" · called "}
    <Time at={row.last_active_at} on="real" />
    {row.clock_offset_seconds > 0 && ` · clock +${formatSpan(row.clock_offset_seconds * 1000)}`}
  </span>
);

/** One world of the list: a link into it, and what can be done with it. */
export const WorldLine = ({ row, current }: { row: World; current: boolean }) => {
  const show = useWorldsUi((state) => state.show);
  return (
    <li className={`world-line${current ? " sel" : ""}`}>
      <Link
        href={sameInWorld(row.name)}
        aria-current={current ? "true" : undefined}
        data-autofocus={current ? true : undefined}
        onClick={() => show(null)}
      >
        <span className="world-tick">{current && <Icon of={IconCheck} size={14} />}</span>
        <span className="world-name">
          <span className="row">
            <span className="w5 el">{row.name}</span>
            <Kept row={row} />
          </span>
          <Facts row={row} />
        </span>
      </Link>
      <Acts row={row} />
    </li>
  );
};

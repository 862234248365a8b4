import type { Side as SideName } from "../../sandbox/contract/control/rows.ts";
import { SideGlyph } from "./side.tsx";

/** An operation's name with the glyph of the side that called it: the caller's side, not the name's prefix. */
export const Operation = ({ id, side }: { id: string; side?: SideName | null }) => (
  <span className="row opn">
    {side !== undefined && <SideGlyph side={side} labelled />}
    <span className="op el">{id}</span>
  </span>
);

import type { Side as SideName } from "../../../sandbox/contract/control/rows.ts";
import { SideGlyph } from "../../components/side.tsx";

/** An operation's name. Truncates the start, because the end distinguishes operations. */
export const OperationName = ({ name }: { name: string }) => (
  <span className="op cut" title={name}>
    <bdi>{name}</bdi>
  </span>
);

/** An operation's name with the glyph of the caller's side, which may differ from the name's prefix. */
export const Operation = ({ id, side }: { id: string; side?: SideName | null }) => (
  <span className="opn">
    {side !== undefined && <SideGlyph side={side} labelled />}
    <OperationName name={id} />
  </span>
);

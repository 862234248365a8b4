import { IconToggleLeft } from "@tabler/icons-react";
import type { Origin as OriginName } from "../../sandbox/contract/operation.ts";
import { Icon } from "./icon.tsx";

interface OriginProps {
  readonly of: OriginName;
  /** The decision an assumption rests on, for example "D42". */
  readonly id?: string;
  /** Whether the assumption can be switched for this world. */
  readonly switchable?: boolean;
  readonly title?: string;
}

const explained = (of: OriginName, id?: string, switchable?: boolean) => {
  if (of === "contract") return "The contract says so";
  if (of === "extension") return "A sandbox convenience outside the public contract";
  return `Assumption${id ? ` ${id}` : ""}: the contract is silent here${switchable ? "; it can be switched for this world" : ""}`;
};

/** Where a behaviour comes from: solid is agreed, dashed is assumed and names its decision, dotted is outside. */
export const Origin = ({ of, id, switchable = false, title }: OriginProps) => (
  <span className={`og ${of}`} title={title ?? explained(of, id, switchable)}>
    {of}
    {id && <b>{id}</b>}
    {switchable && (
      <>
        <Icon of={IconToggleLeft} size={12} />
        <span className="sr">switchable</span>
      </>
    )}
  </span>
);

import {
  IconActivity,
  IconAlertTriangle,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconFileDescription,
  IconHourglass,
  IconMinus,
  IconPackage,
  IconPlugConnectedX,
  IconRefresh,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon, type IconOf } from "./icon.tsx";

export type Tone = "wait" | "ok" | "off" | "bad";

/** Every state on the screen with its tone and icon; an icon and a word always go together. */
const states = {
  order_requested: ["wait", IconHourglass],
  order_confirmed: ["ok", IconCircleCheck],
  cancelled: ["off", IconBan],
  delivered: ["ok", IconCheck],
  pending: ["wait", IconRefresh],
  failed: ["bad", IconAlertTriangle],
  estimated: ["off", IconFileDescription],
  ordered: ["ok", IconPackage],
  passed: ["ok", IconCheck],
  refused: ["bad", IconX],
  skipped: ["off", IconMinus],
  done: ["ok", IconCircleCheck],
  running: ["wait", IconClock],
  live: ["ok", IconActivity],
  reconnecting: ["wait", IconRefresh],
  lost: ["bad", IconPlugConnectedX],
} as const satisfies Record<string, readonly [Tone, IconOf]>;

export type StateName = keyof typeof states;

/** A state as icon and word. The word is the state's name unless children say more ("retrying, 2 failed"). */
export const State = ({
  of: name,
  pill = false,
  title,
  children,
}: {
  of: StateName;
  pill?: boolean;
  title?: string;
  children?: ReactNode;
}) => {
  const [tone, icon] = states[name];
  return (
    <span className={`st ${tone}${pill ? " pill" : ""}`} title={title}>
      <Icon of={icon} size={14} />
      {children ?? name}
    </span>
  );
};

export const stateTone = (name: StateName): Tone => states[name][0];
export const stateIcon = (name: StateName): IconOf => states[name][1];

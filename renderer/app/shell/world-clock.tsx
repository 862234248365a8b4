import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { create } from "zustand";
import { Icon } from "../../components/icon.tsx";
import { loading } from "../../components/loading.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { formatSpan } from "../../lib/formatting.ts";
import { late } from "../../lib/late.ts";
import { useWorld } from "../world.ts";
import { clockQuery } from "../world-queries.ts";
import { BarPopover } from "./bar-popover.tsx";

/** Whether the world's clock can be moved: opened from the bar, by key or from the palette. */
export const useClockUi = create(() => ({ open: false }));
export const showClock = (open: boolean): void => useClockUi.setState({ open });

const { Part: ClockPanel } = late(
  async () => (await import("./clock-panel.tsx")).ClockPanel,
  loading("the world’s clock"),
);

/** The world's clock: in the bar as how far it is ahead, and under it what moves it. */
export const WorldClock = () => {
  const { data: clock } = useQuery(clockQuery(useWorld()));
  const { open } = useClockUi();
  useKeys("Everywhere", [{ keys: ["t"], label: "The world’s clock", run: () => showClock(true) }]);
  const offset = clock?.offset_seconds ?? 0;
  return (
    <BarPopover
      label="The world’s clock"
      width={400}
      open={open}
      onChange={showClock}
      button={
        <button
          type="button"
          className={`row bar-button${offset > 0 ? " chip" : ""}`}
          title={offset > 0 ? "The world’s clock is ahead of real time (assumption D84)" : "The world’s clock"}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => showClock(!open)}
        >
          <Icon of={IconClock} size={offset > 0 ? 12 : 16} />
          <span className={offset > 0 ? "" : "sr"}>
            {offset > 0 ? `World’s clock ${formatSpan(offset * 1000)} ahead` : "The world’s clock"}
          </span>
        </button>
      }
    >
      <ClockPanel offset={offset} onLeave={() => showClock(false)} />
    </BarPopover>
  );
};

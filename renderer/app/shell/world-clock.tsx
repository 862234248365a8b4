import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Icon } from "../../components/icon.tsx";
import { formatOffset } from "../../lib/formatting.ts";
import { offsetWords } from "../move-clock.ts";
import { hrefs } from "../places.ts";
import { useWorld } from "../world.ts";
import { clockQuery } from "../world-queries.ts";

/** How far the world's clock is from real time, and the way to where it is moved. */
export const WorldClock = () => {
  const world = useWorld();
  const { data: clock } = useQuery(clockQuery(world));
  const href = hrefs.clock(world);
  const seconds = clock?.offset_seconds ?? 0;
  const offset = formatOffset(seconds);
  return (
    <Link
      href={href}
      className={`bar-button${offset ? " chip" : ""}`}
      title={offset ? `The world’s clock is ${offsetWords(seconds)} (assumption D84)` : "The world’s clock"}
    >
      <Icon of={IconClock} size={offset ? 12 : 16} />
      <span className={offset ? "" : "sr"}>{offset ? `World’s clock ${offset}` : "The world’s clock"}</span>
    </Link>
  );
};

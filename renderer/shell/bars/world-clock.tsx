import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Icon } from "../../components/icon.tsx";
import { offsetWords } from "../../domain/world/move-clock.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { clockQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { formatOffset } from "../../lib/formatting.ts";

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

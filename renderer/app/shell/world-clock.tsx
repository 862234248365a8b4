import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { Icon } from "../../components/icon.tsx";
import { formatSpan } from "../../lib/formatting.ts";
import { hrefs } from "../places.ts";
import { useWorld } from "../world.ts";
import { clockQuery } from "../world-queries.ts";

/** How far the world's clock is ahead, and the way to where it is moved. */
export const WorldClock = () => {
  const world = useWorld();
  const { data: clock } = useQuery(clockQuery(world));
  const href = hrefs.clock(world);
  const offset = clock?.offset_seconds ?? 0;
  return (
    <Link
      href={href}
      className={`bar-button${offset > 0 ? " chip" : ""}`}
      title={offset > 0 ? "The world’s clock is ahead of real time (assumption D84)" : "The world’s clock"}
    >
      <Icon of={IconClock} size={offset > 0 ? 12 : 16} />
      <span className={offset > 0 ? "" : "sr"}>
        {offset > 0 ? `World’s clock ${formatSpan(offset * 1000)} ahead` : "The world’s clock"}
      </span>
    </Link>
  );
};

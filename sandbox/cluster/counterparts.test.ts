import { test } from "vitest";
import { prepareActsOverKills } from "./testing/acts-over-kills.ts";

const expectActsOnce = await prepareActsOverKills();

test(
  "D92: acts of a world are recorded exactly once, even if its nodes are killed in turn",
  () => expectActsOnce(40),
  100_000,
);

import { test } from "vitest";
import { prepareActsOverKills } from "./testing/acts-over-kills.ts";

const expectActsOnce = await prepareActsOverKills();

test(
  "D92: a thousand acts over the kills of two nodes are each recorded exactly once",
  () => expectActsOnce(500),
  400_000,
);

import { afterAll, beforeEach, test } from "vitest";
import { temporaryFolder } from "../testing/harness.ts";
import { NO_POSTGRES, TestPostgres } from "../testing/postgres.ts";
import type { CommandProcess } from "../testing/process.ts";
import { expectActsOnce } from "./testing/acts-over-kills.ts";

const postgres = await TestPostgres.start();
const folder = temporaryFolder();
const nodes: CommandProcess[] = [];

beforeEach((context) => context.skip(postgres === null, NO_POSTGRES));
afterAll(async () => {
  for (const node of nodes) await node.kill("SIGKILL");
  await postgres?.end();
});

test(
  "D92: acts of a world are recorded exactly once, even if its nodes are killed in turn",
  () => expectActsOnce({ postgres, folder, nodes }, 40),
  100_000,
);

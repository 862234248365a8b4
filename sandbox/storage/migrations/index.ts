import { initial } from "./0001-initial.ts";
import { search } from "./0002-search.ts";
import { records } from "./0003-records.ts";
import { receivers } from "./0004-receivers.ts";
import { health } from "./0005-health.ts";
import { retention } from "./0006-retention.ts";
import { faults } from "./0007-faults.ts";
import { labels } from "./0008-labels.ts";
import { outcomes } from "./0009-outcomes.ts";

/** Numbered by position, from 1; append only. A file's `user_version` is the number of the last one it has seen. */
export const migrations: readonly string[] = [
  initial,
  search,
  records,
  receivers,
  health,
  retention,
  faults,
  labels,
  outcomes,
];

import { accessControls } from "./access-operations.ts";
import { activityControls } from "./activity-operations.ts";
import { browseControls } from "./browse-operations.ts";
import { counterpartControls } from "./counterpart-operations.ts";
import { deliveryControls } from "./delivery-operations.ts";
import { faultControls } from "./fault-operations.ts";
import type { BoundBody, BoundControl } from "./handler.ts";
import { lifecycleControls } from "./lifecycle-operations.ts";
import { provokeControls } from "./provoke-operations.ts";
import { readinessControls } from "./readiness-operations.ts";
import { receiverControls } from "./receiver-operations.ts";
import { replayControls } from "./replay-operations.ts";
import { scenarioControls } from "./scenario-operations.ts";
import { searchControls } from "./search-operations.ts";
import { serviceControls } from "./service-operations.ts";
import { snapshotBodies, snapshotControls } from "./snapshot-operations.ts";
import { wireControls } from "./wire-operations.ts";
import { worldControls } from "./world-operations.ts";

/** All control handlers. A test compares both lists with the declared operations. */
export const controlHandlers: readonly BoundControl[] = [
  ...serviceControls,
  ...worldControls,
  ...lifecycleControls,
  ...browseControls,
  ...accessControls,
  ...deliveryControls,
  ...wireControls,
  ...activityControls,
  ...provokeControls,
  ...receiverControls,
  ...faultControls,
  ...counterpartControls,
  ...replayControls,
  ...snapshotControls,
  ...searchControls,
  ...readinessControls,
  ...scenarioControls,
];

export const bodyHandlers: readonly BoundBody[] = snapshotBodies;

import { accessControls } from "./access-operations.ts";
import { auditControls } from "./audit-operations.ts";
import { browseControls } from "./browse-operations.ts";
import { checkControls } from "./check-operations.ts";
import { compareControls } from "./compare-operations.ts";
import { deliveryControls } from "./delivery-operations.ts";
import { evidenceControls } from "./evidence-operations.ts";
import { faultControls } from "./fault-operations.ts";
import type { BoundBody, BoundControl } from "./handler.ts";
import { listenControls } from "./listen-operations.ts";
import { provokeControls } from "./provoke-operations.ts";
import { readinessControls } from "./readiness-operations.ts";
import { receiverControls } from "./receiver-operations.ts";
import { replayControls } from "./replay-operations.ts";
import { retentionControls } from "./retention-operations.ts";
import { scenarioControls } from "./scenario-operations.ts";
import { searchControls } from "./search-operations.ts";
import { serviceControls } from "./service-operations.ts";
import { snapshotBodies, snapshotControls } from "./snapshot-operations.ts";
import { tokenControls } from "./token-operations.ts";
import { utilityControls } from "./utility-operations.ts";
import { wireControls } from "./wire-operations.ts";
import { workControls } from "./work-operations.ts";
import { worldControls } from "./world-operations.ts";
import { worldSummaryControl } from "./world-summary.ts";

/** Every control operation with what carries it out; a test holds both lists together equal to the declared ones. */
export const controlHandlers: readonly BoundControl[] = [
  ...serviceControls,
  ...worldControls,
  ...tokenControls,
  ...listenControls,
  ...auditControls,
  ...evidenceControls,
  worldSummaryControl,
  ...accessControls,
  ...browseControls,
  ...utilityControls,
  ...deliveryControls,
  ...wireControls,
  ...provokeControls,
  ...receiverControls,
  ...retentionControls,
  ...faultControls,
  ...replayControls,
  ...snapshotControls,
  ...workControls,
  ...searchControls,
  ...readinessControls,
  ...checkControls,
  ...compareControls,
  ...scenarioControls,
];

export const bodyHandlers: readonly BoundBody[] = snapshotBodies;

import { initial } from "./0001-initial.ts";
import { procurementsByStatus } from "./0002-procurements-by-status.ts";
import { exchangesNotDone } from "./0003-exchanges-not-done.ts";
import { requestSearchColumns } from "./0004-request-search-columns.ts";
import { pinnedRequests } from "./0005-pinned-requests.ts";
import { requestRefusalCode } from "./0006-request-refusal-code.ts";
import { requestWordIndex } from "./0007-request-word-index.ts";
import { subscriptionFailureColumns } from "./0008-subscription-failure-columns.ts";
import { labelsOfRequests } from "./0009-labels-of-requests.ts";
import { dueDateIndexes } from "./0010-due-date-indexes.ts";
import { faultsOfAttempts } from "./0011-faults-of-attempts.ts";
import { eventsByJob } from "./0012-events-by-job.ts";
import { faultsOfCalls } from "./0013-faults-of-calls.ts";
import { textsOfBlocks } from "./0014-texts-of-blocks.ts";
import { traceContextOfEvents } from "./0015-trace-context-of-events.ts";
import { eventTypesOfSubscriptions } from "./0016-event-types-of-subscriptions.ts";
import { oneSequence } from "./0017-one-sequence.ts";
import { subscriptionsOfTheSandbox } from "./0018-subscriptions-of-the-sandbox.ts";
import { actsTable } from "./0019-acts-table.ts";
import { certificatesOfAttempts } from "./0020-certificates-of-attempts.ts";
import { refusedRequests } from "./0021-refused-requests.ts";
import { basketsByCreation } from "./0022-baskets-by-creation.ts";
import { requestedOrders } from "./0023-requested-orders.ts";
import { counterpartsOfRequests } from "./0024-counterparts-of-requests.ts";
import { ordersOfJobsByStatus } from "./0025-orders-of-jobs-by-status.ts";

/** Numbered by position, from 1; append only. A file's `user_version` is the number of its last migration. */
export const migrations: readonly string[] = [
  initial,
  procurementsByStatus,
  exchangesNotDone,
  requestSearchColumns,
  pinnedRequests,
  requestRefusalCode,
  requestWordIndex,
  subscriptionFailureColumns,
  labelsOfRequests,
  dueDateIndexes,
  faultsOfAttempts,
  eventsByJob,
  faultsOfCalls,
  textsOfBlocks,
  traceContextOfEvents,
  eventTypesOfSubscriptions,
  oneSequence,
  subscriptionsOfTheSandbox,
  actsTable,
  certificatesOfAttempts,
  refusedRequests,
  basketsByCreation,
  requestedOrders,
  counterpartsOfRequests,
  ordersOfJobsByStatus,
];

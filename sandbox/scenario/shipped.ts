import confirmTwiceOrCancelled from "../../docs/scenarios/confirm-twice-or-cancelled.json" with { type: "json" };
import duplicateStaleForged from "../../docs/scenarios/duplicate-stale-forged.json" with { type: "json" };
import installAndFirstOrder from "../../docs/scenarios/install-and-first-order.json" with { type: "json" };
import installChecks from "../../docs/scenarios/install-checks.json" with { type: "json" };
import invoiceWithDifferences from "../../docs/scenarios/invoice-with-differences.json" with { type: "json" };
import jobConflicts from "../../docs/scenarios/job-conflicts.json" with { type: "json" };
import rateLimit from "../../docs/scenarios/rate-limit.json" with { type: "json" };
import receiverDownAndBack from "../../docs/scenarios/receiver-down-and-back.json" with { type: "json" };
import scopeAndOrganization from "../../docs/scenarios/scope-and-organization.json" with { type: "json" };
import slowSupplierAndCancellation from "../../docs/scenarios/slow-supplier-and-cancellation.json" with {
  type: "json",
};
import tenantIsolation from "../../docs/scenarios/tenant-isolation.json" with { type: "json" };
import twoSuppliersPartialBasket from "../../docs/scenarios/two-suppliers-partial-basket.json" with { type: "json" };
import uploadExpiry from "../../docs/scenarios/upload-expiry.json" with { type: "json" };
import type { Scenario } from "../contract/scenario.ts";

/** Scenarios that ship with the service, by file name. Loaded on first use. */
export const shippedScenarios: ReadonlyMap<string, Scenario> = new Map(
  Object.entries({
    "confirm-twice-or-cancelled": confirmTwiceOrCancelled,
    "duplicate-stale-forged": duplicateStaleForged,
    "install-and-first-order": installAndFirstOrder,
    "install-checks": installChecks,
    "invoice-with-differences": invoiceWithDifferences,
    "job-conflicts": jobConflicts,
    "rate-limit": rateLimit,
    "receiver-down-and-back": receiverDownAndBack,
    "scope-and-organization": scopeAndOrganization,
    "slow-supplier-and-cancellation": slowSupplierAndCancellation,
    "tenant-isolation": tenantIsolation,
    "two-suppliers-partial-basket": twoSuppliersPartialBasket,
    "upload-expiry": uploadExpiry,
  }) as [string, Scenario][],
);

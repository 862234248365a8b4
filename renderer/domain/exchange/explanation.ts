import type { requestsExplain } from "../../../sandbox/contract/control/explain-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";

/** Why an exchange was answered as it was, and how its body may be corrected. */
export type Explanation = ResponseOf<typeof requestsExplain>;
export type Refusal = NonNullable<Explanation["refusal"]>;
export type Correction = NonNullable<Explanation["correction"]>;

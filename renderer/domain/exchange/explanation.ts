import type { requestsExplain } from "../../../sandbox/contract/control/explain-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";

/** The cause of a call's response, and a correction of its body. */
export type Explanation = ResponseOf<typeof requestsExplain>;
export type Refusal = NonNullable<Explanation["refusal"]>;
export type Correction = NonNullable<Explanation["correction"]>;

import { randomBytes } from "node:crypto";
import type { Side } from "../contract/control/rows.ts";
import { type Refusal, refuse } from "../contract/errors.ts";
import { ACCESS_CODE_LIFETIME_MS } from "../rules/access/access-code.ts";
import { iso } from "../rules/timestamp.ts";
import { accessCode } from "../secrets/keys.ts";
import type { World } from "../worlds/world.ts";

/**
 * Issues a single-use access code for an organization and scope, for the consent page and the control plane (D21).
 *
 * @param most unused codes per organization (D86). No code is deleted for a new one
 */
export const issueAccessCode = (
  world: World,
  grant: { readonly client_id: string; readonly organization_id: string; readonly scope: Side },
  most: number,
): Promise<{ readonly code: string; readonly expires_at: number } | Refusal> =>
  world.write(() => {
    const { credentials } = world.stores;
    const issued_at = world.now();
    const unused = credentials.unusedCodes(grant.organization_id, issued_at);
    const [next] = unused;
    if (next !== undefined && unused.length >= most)
      return refuse(
        "bad_request",
        `This organization already has ${most} unused access codes, the limit. Use one of them, or wait: the next one expires at ${iso(next)}`,
      );
    const code = accessCode(randomBytes(16));
    const expires_at = issued_at + ACCESS_CODE_LIFETIME_MS;
    credentials.issueCode({ ...grant, code, issued_at, expires_at });
    credentials.deleteExpiredCodes(issued_at, most);
    return { code, expires_at };
  });

import { randomBytes } from "node:crypto";
import type { Side } from "../contract/control/rows.ts";
import { ACCESS_CODE_LIFETIME_MS } from "../rules/access-code.ts";
import { accessCode } from "../rules/keys.ts";
import type { World } from "../worlds/world.ts";

/**
 * Issues a single-use access code for an organization and scope; the consent page and the control plane alike (D21).
 *
 * @param most unused codes that a world may hold: the oldest ends when there is another (D86)
 */
export const issueAccessCode = async (
  world: World,
  grant: { readonly client_id: string; readonly organization_id: string; readonly scope: Side },
  most: number,
): Promise<{ readonly code: string; readonly expires_at: number }> => {
  const code = accessCode(randomBytes(16));
  const issued_at = world.now();
  const expires_at = issued_at + ACCESS_CODE_LIFETIME_MS;
  await world.write(() => {
    const { credentials } = world.stores;
    credentials.issueCode({ ...grant, code, issued_at, expires_at, consumed_at: null });
    credentials.endOldestCodes(most);
  });
  return { code, expires_at };
};

import { randomBytes } from "node:crypto";
import type { Side } from "../contract/control/rows.ts";
import { ACCESS_CODE_LIFETIME_MS } from "../rules/access-code.ts";
import { accessCode } from "../rules/keys.ts";
import type { World } from "../worlds/world.ts";

/** Issues a single-use access code for an organization and scope; the consent page and the control plane alike (D21). */
export const issueAccessCode = async (
  world: World,
  grant: { readonly client_id: string; readonly organization_id: string; readonly scope: Side },
): Promise<{ readonly code: string; readonly expires_at: number }> => {
  const code = accessCode(randomBytes(16));
  const issued_at = world.now();
  const expires_at = issued_at + ACCESS_CODE_LIFETIME_MS;
  await world.write(() =>
    world.stores.credentials.issueCode({ ...grant, code, issued_at, expires_at, consumed_at: null }),
  );
  return { code, expires_at };
};

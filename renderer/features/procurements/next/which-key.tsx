import { SelectField } from "../../../components/fields.tsx";
import type { SideSeen } from "../detail/two-sides.ts";

/** Which of a side's keys a call is made with; nothing while there is no choice. */
export const WhichKey = ({ of: { keys, credential, chooseKey } }: { of: SideSeen<unknown> }) =>
  keys.length > 1 && credential ? (
    <SelectField
      label="With the key"
      value={credential.integration_id}
      onChange={(id) => id && chooseKey(id)}
      options={keys.map((key) => ({
        value: key.integration_id,
        label: `${key.key_hint}${key.preloaded ? ", pre-loaded" : ", installed"}`,
      }))}
    />
  ) : null;

import type { KeyboardEvent } from "react";
import { SelectField } from "../../../components/select-field.tsx";
import type { SideSeen } from "../detail/two-sides.ts";

/** Which of a side's keys a call is made with; nothing while there is no choice. */
export const WhichKey = ({
  of: { keys, credential, chooseKey },
  onSend,
}: {
  of: SideSeen<unknown>;
  /** What Ctrl or Cmd with Enter does here as everywhere beside; the field alone would open its list. */
  onSend?: () => void;
}) => {
  if (keys.length < 2 || credential === null) return null;
  const onKey = (event: KeyboardEvent) => {
    if (!onSend || event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    event.stopPropagation();
    onSend();
  };
  return (
    <div onKeyDownCapture={onKey}>
      <SelectField
        label="With the key"
        value={credential.integration_id}
        onChange={(id) => id && chooseKey(id)}
        options={keys.map((key) => ({
          value: key.integration_id,
          label: `${key.key_hint}${key.preloaded ? ", pre-loaded" : ", installed"}`,
        }))}
      />
    </div>
  );
};

import { IconCamera } from "@tabler/icons-react";
import { useState } from "react";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { nameProblem } from "../../../lib/world-name.ts";
import { useSaveSnapshot } from "../mutations.ts";

/** Saves a snapshot of a world under a name. */
export const SaveForm = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const [name, setName] = useState("");
  const save = useSaveSnapshot();
  const given = name.trim();
  const problem = given === "" ? null : nameProblem(given, [], "snapshot");
  const submit = () => {
    if (!save.isPending && problem === null) save.mutate({ world, name: given }, { onSuccess: onDone });
  };
  return (
    <SendKeyForm keys={["Worlds", "Save snapshot"]} needs="manage" onSend={submit}>
      <TextField
        label="Name"
        placeholder="snapshot-20260312-094200"
        hint="Use letters, digits, dots, underscores and hyphens. Leave empty to name it by the time."
        value={name}
        onChange={setName}
        mono
        autoFocus
        maxLength={64}
        error={problem}
      />
      <Refused error={save.error} />
      <span className="acts-end">
        <Submit icon={IconCamera} needs="manage" busy={save.isPending} disabled={problem !== null}>
          Save snapshot
        </Submit>
      </span>
    </SendKeyForm>
  );
};

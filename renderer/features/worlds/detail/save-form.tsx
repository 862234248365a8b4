import { IconCamera } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { useSaveSnapshot } from "../mutations.ts";
import styles from "../worlds.module.css";

/** Keeps a world as it is now, under a name. */
export const SaveForm = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState("");
  const save = useSaveSnapshot();
  const submit = () => {
    if (!save.isPending) save.mutate({ world, name: name.trim() }, { onSuccess: onDone });
  };
  useSendKey(form, "Worlds", { label: "Save the snapshot", run: submit });
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Name"
        placeholder="snapshot-20260312-094200"
        hint="Letters, digits, dot, underscore and hyphen; left empty, it is made from the time."
        value={name}
        onChange={setName}
        mono
        autoFocus
        maxLength={64}
      />
      {save.error instanceof ServiceFailure && <Refusal failure={save.error} />}
      <span>
        <Button type="submit" look="primary" icon={IconCamera} keys="mod+enter" busy={save.isPending}>
          Save snapshot
        </Button>
      </span>
    </form>
  );
};

import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CheckField } from "../../../components/choices.tsx";
import { useExportWorld } from "../mutations.ts";
import styles from "../worlds.module.css";

/** Saves a world as one file, which “Open a file” makes a world of again, here or elsewhere. */
export const ExportForm = ({ world, onDone }: { world: string; onDone: () => void }) => {
  const [reveal, setReveal] = useState(false);
  const save = useExportWorld();
  return (
    <div className={styles.form}>
      <p className="t12 t2">
        One file with its jobs, orders, calls, deliveries, switches, clock and pictures. “Open a file” makes a world of
        it again, here or elsewhere.
      </p>
      <CheckField
        label="With keys and secrets"
        hint="Whoever has the file can call as its integrations. Without, keys are made anew where it is opened."
        checked={reveal}
        onChange={setReveal}
      />
      <span>
        <Button
          look="primary"
          icon={IconDownload}
          busy={save.isPending}
          onClick={() => save.mutate({ world, reveal }, { onSuccess: (saved) => saved !== null && onDone() })}
        >
          Export {world}
        </Button>
      </span>
    </div>
  );
};

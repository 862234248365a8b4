import { Button } from "../../components/button.tsx";
import styles from "./settings.module.css";
import type { Progress } from "./use-run.ts";

/** How far work on all worlds is, with a way to cancel it. */
export const UnderWay = ({
  doing,
  progress: { world, number, of },
  onCancel,
}: {
  doing: string;
  progress: Progress;
  onCancel: () => void;
}) => (
  <div className={styles.under}>
    <span className="row wrap">
      <span className="t12 grow" role="status">
        {doing} {world}, {number} of {of}
      </span>
      <Button small onClick={onCancel}>
        Cancel
      </Button>
    </span>
    <progress aria-label={`${doing} all worlds`} value={(number - 1) / of} />
  </div>
);

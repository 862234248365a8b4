import { SideGlyph } from "../../../components/side.tsx";
import type { JobFilter } from "../address.ts";
import styles from "./list.module.css";
import { useWhose } from "./whose.ts";

/** Under the title of the list: whose jobs these are, and as whom this window acts. */
export const WhoseLine = ({ filter }: { filter: JobFilter }) => {
  const { jobs, acting } = useWhose(filter);
  return (
    <span className={`t12 t3 ${styles.whose}`}>
      <span>of {jobs}</span>
      {acting && (
        <span title="New jobs are inserted with its key; a job is always read with a key of its own repairer">
          <SideGlyph side="repairer" /> you act as {acting.name}
        </span>
      )}
    </span>
  );
};

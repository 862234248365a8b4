import { Dialog } from "../../components/dialog.tsx";
import { RecordForm } from "./record-form.tsx";

interface RecordDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The calls to record; null: all since the world was made or reset. */
  readonly calls: readonly string[] | null;
}

/** Makes a scenario or a reproduction of calls that were made in this window's world. */
export const RecordDialog = ({ opened, onClose, calls }: RecordDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title="Record as a scenario" size={600}>
    <RecordForm calls={calls} onDone={onClose} />
  </Dialog>
);

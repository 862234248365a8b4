import { Dialog } from "../../components/dialog.tsx";
import { RecordForm } from "./record-form.tsx";

interface RecordDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The calls to record; null: all since the world was created or reset. */
  readonly calls: readonly string[] | null;
}

/** Creates a scenario or a reproduction from calls in this window's world. */
export const RecordDialog = ({ opened, onClose, calls }: RecordDialogProps) => (
  <Dialog opened={opened} onClose={onClose} title="Record as a scenario" size={600}>
    <RecordForm calls={calls} onDone={onClose} />
  </Dialog>
);

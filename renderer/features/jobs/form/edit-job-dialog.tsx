import { Dialog } from "../../../components/dialog.tsx";
import { EditJobForm, type EditProps } from "./edit-job-form.tsx";
import { useLeaving } from "./use-leaving.ts";

/** A change of a job; left only when nothing in it is lost, or the person said so. */
export const EditJobDialog = ({ opened, ...rest }: EditProps & { opened: boolean }) => {
  const leaving = useLeaving(opened, rest.onClose);
  return (
    <Dialog
      opened={opened}
      onClose={leaving.leave}
      title={`Edit ${rest.row.job_number ?? "job"}`}
      size={1140}
      yOffset="4vh"
    >
      <EditJobForm {...rest} leaving={leaving} />
    </Dialog>
  );
};

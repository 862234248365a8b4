import { IconKeyOff } from "@tabler/icons-react";
import { useActAs } from "../../../app/acting.ts";
import { hasPlace } from "../../../app/places.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Loading } from "../../../components/loading.tsx";
import { NewJobForm } from "./new-job-form.tsx";
import { useLeaving } from "./use-leaving.ts";

const NoRepairer = () => (
  <NothingYet
    icon={IconKeyOff}
    title="The sandbox holds no repairer’s key"
    actions={
      hasPlace("install") && (
        <LinkButton small href="/install">
          Install an integration
        </LinkButton>
      )
    }
  >
    A job is inserted by a repairer. Install an integration with the scope repairer first.
  </NothingYet>
);

/** A new job through `repairer.jobs.insert`; left only when nothing in it is lost, or the person said so. */
export const NewJobDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const { credential, candidates, isLoading } = useActAs("repairer");
  const leaving = useLeaving(opened, onClose);
  return (
    <Dialog opened={opened} onClose={leaving.leave} title="New job" size={940} yOffset="4vh">
      {credential ? (
        <NewJobForm candidates={candidates} initial={credential} onClose={onClose} leaving={leaving} />
      ) : isLoading ? (
        <Loading what="the form" />
      ) : (
        <NoRepairer />
      )}
    </Dialog>
  );
};

import { IconFileImport } from "@tabler/icons-react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { late } from "../../lib/late.ts";
import { flag, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

/** Its readers of commands and files are fetched when it is opened. */
const ImportForm = late(async () => (await import("./import-form.tsx")).ImportForm).Part;

const params = searchParams({ import: flag });

/** The way to import a call, at the Console's list and from every address with `?import`. */
export const ImportButton = () => {
  const { values, change } = useSearchParamsOf(params);
  const open = () => change({ import: true });
  const close = () => change({ import: false });
  useKeys("Console", [{ keys: ["i"], label: "Import a call: cURL, HAR", run: open }]);
  return (
    <>
      <Button small icon={IconFileImport} title="A call as cURL or HAR" onClick={open}>
        Import<span className="sr"> a call</span>
      </Button>
      <Dialog opened={values.import} onClose={close} title="Import a call" size={720}>
        <ImportForm onDone={close} />
      </Dialog>
    </>
  );
};

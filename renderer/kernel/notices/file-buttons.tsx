import { IconDownload } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { type FileKind, type FileToSave, openFile, saveFile } from "../../lib/files.ts";
import { notify } from "./notices.tsx";

/** Saves the file that `file` creates when pressed; `what` completes "Save … as a file". */
export const SaveButton = ({ what, file }: { what: string; file: () => FileToSave }) => {
  const save = async () => {
    try {
      const name = await saveFile(file());
      if (name !== null) notify.done({ title: `Saved ${name}` });
    } catch (error) {
      notify.failed(`Save ${what}`, error);
    }
  };
  return <IconButton small icon={IconDownload} label={`Save ${what} as a file`} onClick={() => void save()} />;
};

/** Returns a response of the service as a file, formatted and in UTF-8. */
export const jsonFile = (name: string, value: unknown): FileToSave => ({
  name: `${name}.json`,
  content: `${JSON.stringify(value, null, 2)}\n`,
  mediaType: "application/json",
});

/** Reads text from a file that the user chooses. */
export const OpenTextButton = ({
  label,
  kinds,
  onText,
}: {
  label: string;
  kinds: readonly FileKind[];
  onText: (text: string) => void;
}) => {
  const open = async () => {
    try {
      const file = await openFile(kinds);
      if (file !== null) onText(new TextDecoder().decode(file.bytes));
    } catch (error) {
      notify.failed("Open the file", error);
    }
  };
  return (
    <button type="button" className="lnk" onClick={() => void open()}>
      {label}
    </button>
  );
};

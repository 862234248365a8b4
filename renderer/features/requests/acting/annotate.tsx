import { Group } from "@mantine/core";
import { IconNote, IconPin, IconPinFilled } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { useChanged } from "../../../app/changes.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Form } from "../../../components/form.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { announce } from "../../../lib/announce.ts";
import { callControl } from "../../../lib/service-client.ts";
import styles from "./acting.module.css";

const useAnnotate = (id: string) => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (said: { readonly pinned?: boolean; readonly note?: string | null }) =>
      callControl("requests.annotate", { ...said, world, id }),
    onSuccess: () => changed(["annotation"]),
    onError: (error) => notify.failed("Pin and note", error),
  });
};

/** Keeps a call whatever retention says. */
export const PinButton = ({ detail }: { detail: RequestDetail }) => {
  const pinned = detail.pinned === true;
  const annotate = useAnnotate(detail.id);
  const toggle = () =>
    annotate.mutate({ pinned: !pinned }, { onSuccess: () => announce(pinned ? "Unpinned" : "Pinned") });
  useKeys("Requests", [{ keys: ["p"], label: "Pin this call", acts: true, run: toggle }]);
  return (
    <IconButton
      small
      icon={pinned ? IconPinFilled : IconPin}
      label={pinned ? "Pinned (retention doesn’t delete it)" : "Pin (protect from retention)"}
      pressed={pinned}
      onClick={toggle}
    />
  );
};

const NoteForm = ({ detail, onDone }: { detail: RequestDetail; onDone: () => void }) => {
  const [text, setText] = useState(detail.note ?? "");
  const annotate = useAnnotate(detail.id);
  const save = () => annotate.mutate({ note: text.trim() === "" ? null : text.trim() }, { onSuccess: onDone });
  return (
    <Form className={styles.noteForm} onSend={save}>
      <TextAreaField label="Note" rows={2} value={text} onChange={setText} autoFocus />
      <span className="row row-1">
        <Button small type="submit" look="primary" busy={annotate.isPending}>
          Save note
        </Button>
        <Button small look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </span>
    </Form>
  );
};

/** What a person has to say of a call. */
export const Note = ({
  detail,
  editing,
  onEdit,
}: {
  detail: RequestDetail;
  editing: boolean;
  onEdit: (on: boolean) => void;
}) => {
  if (editing) return <NoteForm detail={detail} onDone={() => onEdit(false)} />;
  if (detail.note === undefined) return null;
  return (
    <Group
      className="t12 hb wrapany"
      component="p"
      gap="sm"
      wrap="nowrap"
      flex="none"
      py={6}
      px="lg"
      bg="var(--canvas)"
    >
      <span className="grow">{detail.note}</span>
      <Button small look="quiet" onClick={() => onEdit(true)}>
        Edit note
      </Button>
    </Group>
  );
};

export const NoteButton = ({ onEdit }: { onEdit: () => void }) => (
  <IconButton small icon={IconNote} label="Add note" onClick={onEdit} />
);

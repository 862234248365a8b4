import { Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { DialogFoot } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { sideWord } from "../../../components/side.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { decodeBody } from "../../../domain/exchange/body.ts";
import { correctedText } from "../../../domain/exchange/corrected-text.ts";
import type { Correction } from "../../../domain/exchange/explanation.ts";
import { headerProblem } from "../../../domain/exchange/header-lines.ts";
import { credentialsQuery, worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { restoredDraft, useDraft } from "../../../lib/draft.ts";
import { laidOut } from "../../../lib/json-text.ts";
import styles from "./acting.module.css";
import { CorrectionNote } from "./correction.tsx";
import { AS_BEFORE, type Draft, draftChanges, isEdited, jsonError, NO_KEY, replayDraft } from "./edit-and-send.ts";
import { useSendAgain } from "./send-again.ts";

/** Method and path of a correction that moves the fields of an address into the body. */
const movedHead = ({ path }: Draft, { edits }: Correction): Partial<Draft> =>
  edits.some(({ pointer }) => pointer === "") ? { method: "POST", path: path.split("?", 1)[0] ?? path } : {};

/** A form to edit a recorded call or its correction, and to send it to any world as any caller. */
export const SendForm = ({
  detail,
  correction,
  onSent,
}: {
  detail: RequestDetail;
  correction: Correction | null;
  onSent: () => void;
}) => {
  const world = useWorld();
  const { text } = decodeBody(detail.request_body_base64);
  const [recorded] = useState(() => replayDraft(detail, world, laidOut(text ?? "")));
  const [begun] = useState(() =>
    correction
      ? { ...recorded, ...movedHead(recorded, correction), body: correctedText(recorded.body, correction) }
      : recorded,
  );
  const {
    draft,
    change: changeDraft,
    forget,
  } = useDraft<Draft>(
    { name: `request ${detail.id} ${correction ? "corrected" : "as it was"}` },
    {
      initial: () => begun,
      read: (stored) => restoredDraft(begun, stored),
      isWorth: (now) => JSON.stringify(now) !== JSON.stringify(begun),
    },
  );
  const change = (some: Partial<Draft>) => changeDraft((before) => ({ ...before, ...some }));
  const worlds = useQuery(worldsQuery()).data ?? [];
  const credentials = useQuery(credentialsQuery(draft.world)).data ?? [];
  const send = useSendAgain(detail, {
    onSent: () => {
      forget();
      onSent();
    },
    showsRefusal: true,
  });
  const headersWrong = headerProblem(draft.headers) !== null;
  const json = jsonError(draft.body);
  const submit = () => {
    if (!headersWrong && !send.isPending) send.mutate(draftChanges(draft, recorded));
  };
  return (
    <SendKeyForm keys={["Requests", "Send call"]} onSend={submit}>
      <div className={styles.two}>
        <SelectField
          label="World"
          autoFocus
          value={draft.world}
          options={worlds.map(({ name }) => ({ value: name, label: name === world ? `${name} (this world)` : name }))}
          onChange={(to) => to !== null && change({ world: to, as: to === draft.world ? draft.as : AS_BEFORE })}
        />
        <SelectField
          label="Send as"
          value={draft.as}
          options={[
            { value: AS_BEFORE, label: "original caller" },
            { value: NO_KEY, label: "no key" },
            ...credentials.map((one) => ({
              value: one.integration_id,
              label: `${one.organization_name}, ${sideWord(one.scope).toLowerCase()}, ${one.key_hint}`,
            })),
          ]}
          onChange={(as) => as !== null && change({ as })}
        />
      </div>
      <div className={styles.address}>
        <TextField
          label="Method"
          mono
          value={draft.method}
          onChange={(method) => change({ method: method.toUpperCase() })}
        />
        <TextField label="Path" mono value={draft.path} onChange={(path) => change({ path })} />
      </div>
      <TextAreaField
        label="Headers"
        mono
        rows={4}
        value={draft.headers}
        hint="One per line. The sandbox sets the connection, world and key headers."
        error={headerProblem(draft.headers)}
        onChange={(headers) => change({ headers })}
      />
      {correction && <CorrectionNote correction={correction} />}
      {text === undefined ? (
        <Text component="p" variant="note">
          The body isn’t text. The recorded bytes are sent unchanged.
        </Text>
      ) : (
        <TextAreaField
          label="Body"
          mono
          rows={10}
          value={draft.body}
          {...(json === null ? {} : { hint: `Not valid JSON, sent unchanged: ${json}` })}
          onChange={(body) => change({ body })}
        />
      )}
      <Refused error={send.error} />
      <DialogFoot>
        {isEdited(draft, recorded) && (
          <Button look="quiet" onClick={() => change(recorded)}>
            Restore original
          </Button>
        )}
        <Submit icon={IconSend} busy={send.isPending} disabled={headersWrong}>
          Send
        </Submit>
      </DialogFoot>
    </SendKeyForm>
  );
};

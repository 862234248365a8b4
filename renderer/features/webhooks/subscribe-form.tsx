import { Group, SegmentedControl, Text } from "@mantine/core";
import { useLocation } from "wouter";
import { isWorldToken } from "../../../sandbox/contract/access.ts";
import { correctBehaviour } from "../../../sandbox/contract/control/presets.ts";
import type { Receiver } from "../../../sandbox/contract/control/receiver-operations.ts";
import { COMMAND } from "../../../sandbox/contract/package-name.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { DialogFoot } from "../../components/dialog.tsx";
import { DraftNote } from "../../components/draft-note.tsx";
import { TextField } from "../../components/fields.tsx";
import { SendKeyForm, Submit } from "../../components/form.tsx";
import { Note } from "../../components/section.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { sideWord } from "../../components/side.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { sinkUrl, useKeyNote, useSubscribe } from "../../domain/delivery/subscribing.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useActing, useCredentials } from "../../kernel/credentials/acting.ts";
import { useControl } from "../../kernel/queries/use-act.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { useFieldsDraft } from "../../lib/draft.ts";
import { controlToken } from "../../lib/session.ts";
import { RefusedBox } from "./parts.tsx";
import { type BehaviourForm, toBehaviour } from "./receivers/behaviour.ts";
import { BehaviourFields } from "./receivers/behaviour-pane.tsx";

/**
 * The command that forwards notifications to a local server. When copied, includes a token of this world as a variable,
 * because every user of a machine can read command lines.
 */
const commandWith = (token: string): string =>
  `SANDBOX_CONTROL_TOKEN=${token} ${COMMAND} listen --url ${window.location.origin} --forward-to http://localhost:3000/hook`;

/** For a receiver that the service can't reach: no URL is needed. */
const ListenHint = () => {
  const token = controlToken();
  const copied = token !== null && isWorldToken(token) ? token : '"$TOKEN"';
  return (
    <Group wrap="nowrap" align="start" gap="sm">
      <Text variant="note" component="p" flex={1}>
        To receive on your own machine without a public URL, run{" "}
        <Text variant="code" component="span" style={{ overflowWrap: "anywhere" }}>
          {commandWith('"$TOKEN"')}
        </Text>
      </Text>
      <CopyButton text={commandWith(copied)} what="the command" />
    </Group>
  );
};

const kinds = [
  { value: "url", label: "URL" },
  { value: "receiver", label: "Built-in receiver" },
] as const;

interface SubscribeDraft extends BehaviourForm {
  readonly kind: (typeof kinds)[number]["value"];
  /** The integration; null: the one this window acts as. */
  readonly chosen: string | null;
  readonly url: string;
}

/** Subscribes an address for an integration: a program's own URL, or a new built-in receiver. */
export const SubscribeForm = ({ onDone }: { onDone: () => void }) => {
  const world = useWorld();
  const sink = sinkUrl(world);
  const draftState = useFieldsDraft<SubscribeDraft>(`subscribe.${world}`, {
    ...{ kind: "url", chosen: null, url: sink },
    ...correctBehaviour,
  });
  const { kind, chosen, url, ...behaviourForm } = draftState.draft;
  const change = (part: Partial<SubscribeDraft>) => draftState.change((now) => ({ ...now, ...part }));
  const [, navigate] = useLocation();
  const subscribe = useSubscribe();
  const keyNote = useKeyNote();
  const create = useControl("receivers.create", { changes: ["receiver"] });
  const { data: credentials = [] } = useCredentials();
  const acting = useActing();
  const isThere = credentials.some((one) => one.integration_id === chosen);
  // Without an integration, the service reports the missing field.
  const integration_id = (isThere ? chosen : acting) ?? "";
  const behaviour = toBehaviour(behaviourForm);
  const done = () => {
    announce("Subscribed");
    onDone();
  };
  const submit = () => {
    // The promise also resolves after the form was closed.
    if (kind === "url")
      return void subscribe
        .mutateAsync([{ integration_id, url: url.trim() }], { onSuccess: done })
        .then(draftState.forget, () => undefined);
    if (behaviour === null || create.isPending) return;
    const onSuccess = ({ subscription_id }: Receiver) => {
      done();
      if (subscription_id !== null) navigate(hrefs.subscription(subscription_id));
    };
    create.mutateAsync({ integration_id, behaviour }, { onSuccess }).then(draftState.forget, () => undefined);
  };
  return (
    <SendKeyForm keys={["Webhooks", "Subscribe"]} onSend={submit}>
      <SelectField
        label="Integration"
        value={integration_id || null}
        onChange={(value) => value && change({ chosen: value })}
        options={credentials.map(({ integration_id: value, scope, organization_name, key_hint }) => ({
          value,
          label: `${sideWord(scope)}: ${organization_name}, ${key_hint}`,
        }))}
        hint={
          <>
            Receives all events of its organization for its side. <Origin of="assumption" id="D70" />
          </>
        }
      />
      <SegmentedControl aria-label="Receiver" data={[...kinds]} value={kind} onChange={(kind) => change({ kind })} />
      {kind === "url" ? (
        <TextField
          label="Receiver URL"
          mono
          autoFocus
          isSuggestion
          value={url}
          onChange={(url) => change({ url })}
          maxLength={4096}
          hint={
            url === sink
              ? "The test receiver verifies each signature, deduplicates by message ID and returns 200."
              : "Notifications are sent to this URL."
          }
        />
      ) : (
        <BehaviourFields form={behaviourForm} onChange={change} />
      )}
      {kind === "url" && keyNote !== null && (
        <Note>
          {keyNote} <Origin of="assumption" id="D76" switchable />
        </Note>
      )}
      {kind === "url" && <ListenHint />}
      <RefusedBox error={kind === "url" ? subscribe.error : create.error} />
      <DialogFoot>
        <DraftNote of={draftState} />
        <Submit busy={subscribe.isPending || create.isPending} disabled={kind === "receiver" && behaviour === null}>
          Subscribe
        </Submit>
      </DialogFoot>
    </SendKeyForm>
  );
};

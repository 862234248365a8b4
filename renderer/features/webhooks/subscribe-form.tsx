import { Group, SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { isWorldToken } from "../../../sandbox/contract/access.ts";
import { correctBehaviour } from "../../../sandbox/contract/control/presets.ts";
import type { Receiver } from "../../../sandbox/contract/control/receiver-operations.ts";
import { COMMAND } from "../../../sandbox/contract/package-name.ts";
import { CopyButton } from "../../components/copy-button.tsx";
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

/** Subscribes an address for an integration: a program's own URL, or a new built-in receiver. */
export const SubscribeForm = ({ onDone }: { onDone: () => void }) => {
  const [kind, setKind] = useState<(typeof kinds)[number]["value"]>("url");
  const [chosen, setChosen] = useState<string | null>(null);
  const sink = sinkUrl(useWorld());
  const [url, setUrl] = useState(sink);
  const [behaviourForm, setBehaviourForm] = useState<BehaviourForm>(correctBehaviour);
  const [, navigate] = useLocation();
  const subscribe = useSubscribe();
  const keyNote = useKeyNote();
  const create = useControl("receivers.create", { changes: ["receiver"] });
  const { data: credentials = [] } = useCredentials();
  const acting = useActing();
  // Without an integration, the service reports the missing field.
  const integration_id = chosen ?? acting ?? "";
  const behaviour = toBehaviour(behaviourForm);
  const done = () => {
    announce("Subscribed");
    onDone();
  };
  const submit = () => {
    if (kind === "url") return subscribe.mutate([{ integration_id, url: url.trim() }], { onSuccess: done });
    if (behaviour === null || create.isPending) return;
    const onSuccess = ({ subscription_id }: Receiver) => {
      done();
      if (subscription_id !== null) navigate(hrefs.subscription(subscription_id));
    };
    create.mutate({ integration_id, behaviour }, { onSuccess });
  };
  return (
    <SendKeyForm keys={["Webhooks", "Subscribe"]} onSend={submit}>
      <SelectField
        label="Integration"
        value={integration_id || null}
        onChange={(value) => value && setChosen(value)}
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
      <SegmentedControl aria-label="Receiver" data={[...kinds]} value={kind} onChange={setKind} />
      {kind === "url" ? (
        <TextField
          label="Receiver URL"
          mono
          autoFocus
          isSuggestion
          value={url}
          onChange={setUrl}
          maxLength={4096}
          hint={
            url === sink
              ? "The test receiver verifies each signature, deduplicates by message ID and returns 200."
              : "Notifications are sent to this URL."
          }
        />
      ) : (
        <BehaviourFields form={behaviourForm} onChange={(part) => setBehaviourForm({ ...behaviourForm, ...part })} />
      )}
      {kind === "url" && keyNote !== null && (
        <Note>
          {keyNote} <Origin of="assumption" id="D76" switchable />
        </Note>
      )}
      {kind === "url" && <ListenHint />}
      <RefusedBox error={kind === "url" ? subscribe.error : create.error} />
      <div className="acts-end">
        <Submit busy={subscribe.isPending || create.isPending} disabled={kind === "receiver" && behaviour === null}>
          Subscribe
        </Submit>
      </div>
    </SendKeyForm>
  );
};

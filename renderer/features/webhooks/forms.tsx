import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import { correctBehaviour } from "../../../sandbox/contract/control/presets.ts";
import type { Receiver } from "../../../sandbox/contract/control/receiver-operations.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { SendKeyForm } from "../../components/form.tsx";
import { Note } from "../../components/section.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { sideWord } from "../../components/side.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { sinkUrl, useKeyNote, useSubscribe } from "../../domain/delivery/subscribing.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useActing, useCredentials } from "../../kernel/world/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { ListenHint } from "./listen-hint.tsx";
import { RefusedBox } from "./parts.tsx";
import { type BehaviourForm, toBehaviour } from "./receivers/behaviour.ts";
import { BehaviourFields } from "./receivers/behaviour-pane.tsx";
import { useControl } from "./use-control.ts";

const kinds = [
  { value: "url", label: "URL" },
  { value: "receiver", label: "Built-in receiver" },
] as const;

/** Subscribes an address for an integration's notifications: a program's own, or a receiver that the sandbox makes. */
export const SubscribeForm = ({ onDone }: { onDone: () => void }) => {
  const [kind, setKind] = useState<(typeof kinds)[number]["value"]>("url");
  const [chosen, setChosen] = useState<string | null>(null);
  const sink = sinkUrl(useWorld());
  const [url, setUrl] = useState(sink);
  const [form, setForm] = useState<BehaviourForm>(correctBehaviour);
  const [, navigate] = useLocation();
  const subscribe = useSubscribe();
  const keyNote = useKeyNote();
  const create = useControl("receivers.create", { changes: ["receiver"] });
  const { data: credentials = [] } = useCredentials();
  const acting = useActing();
  // Without an integration the service says what it thinks of that.
  const integration_id = chosen ?? acting ?? "";
  const behaviour = toBehaviour(form);
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
        <BehaviourFields form={form} onChange={setForm} />
      )}
      {kind === "url" && keyNote !== null && (
        <Note>
          {keyNote} <Origin of="assumption" id="D76" switchable />
        </Note>
      )}
      {kind === "url" && <ListenHint />}
      <RefusedBox error={kind === "url" ? subscribe.error : create.error} />
      <div className="acts-end">
        <Button
          look="primary"
          type="submit"
          keys="mod+enter"
          busy={subscribe.isPending || create.isPending}
          disabled={kind === "receiver" && behaviour === null}
        >
          Subscribe
        </Button>
      </div>
    </SendKeyForm>
  );
};

import { useState } from "react";
import { useLocation } from "wouter";
import { correctBehaviour } from "../../../sandbox/contract/control/correct-behaviour.ts";
import type { Receiver } from "../../../sandbox/contract/control/receiver-rows.ts";
import { useActing, useCredentials } from "../../app/acting.ts";
import { useControl } from "../../app/use-control.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import { Origin } from "../../components/origin.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { sideWord } from "../../components/side.tsx";
import { sinkUrl, useSubscribe } from "../../domain/delivery/subscribing.tsx";
import { announce } from "../../lib/announce.ts";
import { addresses } from "./addresses.ts";
import { RefusedBox } from "./parts.tsx";
import { behaviourOf, formOf } from "./receivers/behaviour.ts";
import { BehaviourFields } from "./receivers/behaviour-pane.tsx";
import { openForm } from "./webhooks-store.ts";

/** Whose events are received. */
const IntegrationField = ({ value, onChange }: { value: string | null; onChange: (value: string) => void }) => {
  const { data = [] } = useCredentials();
  const options = data.map(({ integration_id, scope, organization_name, key_hint }) => ({
    value: integration_id,
    label: `${sideWord(scope)}: ${organization_name}, ${key_hint}`,
  }));
  return (
    <SelectField
      label="Integration"
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      options={options}
      hint={
        <>
          Receives every event of its organization that is for its side. <Origin of="assumption" id="D70" />
        </>
      }
    />
  );
};

/** Registers an address for an integration's notifications. */
export const SubscribeForm = ({ onDone }: { onDone: () => void }) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const [url, setUrl] = useState(sinkUrl);
  const subscribe = useSubscribe();
  const acting = useActing();
  const integration_id = chosen ?? acting;
  const submit = () =>
    // Without an integration the service says what it thinks of that.
    subscribe.mutate([{ integration_id: integration_id ?? "", url: url.trim() }], {
      onSuccess: () => {
        announce("Subscribed");
        onDone();
      },
    });
  return (
    <Form onSend={submit}>
      <p className="row t12">
        <span className="m11 t2">POST /__webhooks/subscribe</span> <Origin of="extension" />
      </p>
      <IntegrationField value={integration_id} onChange={setChosen} />
      <TextField
        label="url"
        mono
        autoFocus
        isSuggestion
        value={url}
        onChange={setUrl}
        maxLength={4096}
        hint={
          url === sinkUrl()
            ? "The test receiver verifies each signature, deduplicates by message ID and returns 200."
            : "Notifications are sent to this URL."
        }
      />
      <RefusedBox error={subscribe.error} />
      <div className="row wrap">
        <Button
          look="quiet"
          title="A receiver in the sandbox that behaves as you choose"
          onClick={() => openForm("receiver")}
        >
          Make a built-in receiver
        </Button>
        <span className="grow" />
        <Button look="primary" type="submit" busy={subscribe.isPending}>
          Subscribe
        </Button>
      </div>
    </Form>
  );
};

/** Makes a built-in receiver and subscribes it in one step. */
export const ReceiverForm = ({ onDone }: { onDone: () => void }) => {
  const [chosen, setChosen] = useState<string | null>(null);
  const [form, setForm] = useState(() => formOf(correctBehaviour));
  const [, navigate] = useLocation();
  const create = useControl("receivers.create", { changes: ["receiver"] });
  const acting = useActing();
  const integration_id = chosen ?? acting;
  const behaviour = behaviourOf(form);
  const submit = () => {
    if (integration_id === null || behaviour === null || create.isPending) return;
    const onSuccess = ({ id }: Receiver) => {
      announce("Receiver made and subscribed");
      onDone();
      navigate(addresses.receiver(id));
    };
    create.mutate({ integration_id, behaviour }, { onSuccess });
  };
  return (
    <Form onSend={submit}>
      <p className="t12 t2">
        A receiver in the sandbox, subscribed in one step. You see what it receives and returns.{" "}
        <Origin of="extension" />
      </p>
      <IntegrationField value={integration_id} onChange={setChosen} />
      <BehaviourFields form={form} onChange={setForm} />
      <RefusedBox error={create.error} />
      <div className="row">
        <span className="grow" />
        <Button
          look="primary"
          type="submit"
          busy={create.isPending}
          disabled={integration_id === null || behaviour === null}
        >
          Make and subscribe
        </Button>
      </div>
    </Form>
  );
};

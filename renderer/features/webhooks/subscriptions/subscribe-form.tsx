import { type FormEvent, useState } from "react";
import { useActing, useCredentials } from "../../../app/acting.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { sinkUrl, useSubscribe } from "../../../domain/delivery/subscribing.tsx";
import { announce } from "../../../lib/announce.ts";
import { integrationOption, Refused } from "../form-parts.tsx";
import { useWebhooks } from "../webhooks-store.ts";

const OTHER = "other";

export const SubscribeForm = ({ onDone }: { onDone: () => void }) => {
  const { data: credentials = [] } = useCredentials();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const [url, setUrl] = useState(sinkUrl);
  const subscribe = useSubscribe();
  const setMaking = useWebhooks((state) => state.setMaking);
  const acting = useActing();
  const selected = chosen ?? acting ?? OTHER;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const integration_id = selected === OTHER ? typed.trim() : selected;
    subscribe.mutate([{ integration_id, url: url.trim() }], {
      onSuccess: () => {
        announce("Subscribed");
        onDone();
      },
    });
  };
  return (
    <form className="webhooks-form" onSubmit={submit}>
      <p className="row t12">
        <span className="m11 t2">POST /__webhooks/subscribe</span> <Origin of="extension" />
      </p>
      <SelectField
        label="Integration"
        value={selected}
        onChange={(value) => value && setChosen(value)}
        options={[...credentials.map(integrationOption), { value: OTHER, label: "Another integration id" }]}
        hint={
          <>
            Receives the events of its organization and scope. <Origin of="assumption" id="D70" tight />
          </>
        }
      />
      {selected === OTHER && (
        <TextField
          label="integration_id"
          mono
          value={typed}
          onChange={setTyped}
          placeholder="00000000-0000-0000-0000-000000000000"
          hint="Sent as you write it, so that the service’s checks can be seen too."
        />
      )}
      <TextField
        label="url"
        mono
        value={url}
        onChange={setUrl}
        maxLength={4096}
        hint={
          url === sinkUrl()
            ? "The reference sink verifies each signature, remembers message ids and answers 200."
            : "Where notifications are posted to."
        }
      />
      <Refused error={subscribe.error} />
      <div className="row webhooks-form-end">
        <Button
          look="quiet"
          title="A receiver on the sandbox itself that does what it is told"
          onClick={() => {
            onDone();
            setMaking(true);
          }}
        >
          Make a built-in receiver
        </Button>
        <span className="grow" />
        {url !== sinkUrl() && (
          <Button look="quiet" onClick={() => setUrl(sinkUrl())}>
            Use the reference sink
          </Button>
        )}
        <Button look="primary" type="submit" busy={subscribe.isPending}>
          Subscribe
        </Button>
      </div>
    </form>
  );
};

import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { correctBehaviour } from "../../../../sandbox/contract/control/correct-behaviour.ts";
import { useActing, useCredentials } from "../../../app/acting.ts";
import { Button } from "../../../components/button.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { announce } from "../../../lib/announce.ts";
import { addresses } from "../addresses.ts";
import { integrationOption, Refused } from "../form-parts.tsx";
import { type BehaviourForm, behaviourOf, formOf } from "./behaviour.ts";
import { BehaviourFields } from "./behaviour-pane.tsx";
import { useReceiverMutations } from "./receiver-queries.ts";

export const CreateForm = ({ onDone }: { onDone: () => void }) => {
  const { data: credentials = [] } = useCredentials();
  const [chosen, setChosen] = useState<string | null>(null);
  const [form, setForm] = useState<BehaviourForm>(() => formOf(correctBehaviour));
  const [, navigate] = useLocation();
  const { create } = useReceiverMutations();
  const acting = useActing();
  const integration_id = chosen ?? acting;
  const behaviour = behaviourOf(form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (integration_id === null || behaviour === null || create.isPending) return;
    create.mutate(
      { integration_id, behaviour },
      {
        onSuccess: (made) => {
          announce("Receiver made and subscribed");
          onDone();
          navigate(addresses.receiver(made.id));
        },
      },
    );
  };
  return (
    <form className="webhooks-form" onSubmit={submit}>
      <p className="t12 t2">
        A receiver on the sandbox itself, subscribed in one step. What it takes and answers is listed.{" "}
        <Origin of="extension" />
      </p>
      <SelectField
        label="Integration"
        value={integration_id}
        onChange={(value) => value && setChosen(value)}
        options={credentials.map(integrationOption)}
        hint={
          <>
            Receives the events of its organization and scope. <Origin of="assumption" id="D70" tight />
          </>
        }
      />
      <BehaviourFields form={form} onChange={setForm} />
      <Refused error={create.error} />
      <div className="row webhooks-form-end">
        <span className="grow" />
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button
          look="primary"
          type="submit"
          busy={create.isPending}
          disabled={integration_id === null || behaviour === null}
        >
          Make and subscribe
        </Button>
      </div>
    </form>
  );
};

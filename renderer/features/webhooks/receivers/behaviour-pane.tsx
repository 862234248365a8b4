import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { useWorld } from "../../../app/world.ts";
import { policiesQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Note } from "../../../components/section.tsx";
import { announce } from "../../../lib/announce.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { type BehaviourForm, behaviourOf, behaviourSentence, formOf, progressWords } from "./behaviour.ts";
import { BehaviourFields } from "./behaviour-fields.tsx";
import { useReceiverMutations, useTryFaster } from "./receiver-queries.ts";

/** How fast this world tries again, and a click to make it faster: a receiver that fails is for watching. */
const Pace = () => {
  const { data: policies } = useQuery(policiesQuery(useWorld()));
  const faster = useTryFaster();
  if (!policies) return null;
  return (
    <Note>
      {policies.webhook_retries === "fast" ? (
        <>This world tries again after 0.2, 0.5, 1, 2 and 5 seconds.</>
      ) : policies.webhook_retries === "none" ? (
        <>This world tries nothing again.</>
      ) : (
        <>This world tries again after 5 s, 30 s, 2 min and so on.</>
      )}{" "}
      <Origin of="assumption" id="D72" switchable />{" "}
      {policies.webhook_retries !== "fast" && (
        <Button small look="quiet" busy={faster.isPending} onClick={() => faster.mutate()}>
          Try again within seconds
        </Button>
      )}
    </Note>
  );
};

/** What a receiver does, and a form to change that. */
export const BehaviourPane = ({ receiver }: { receiver: Receiver }) => {
  const [edited, setEdited] = useState<BehaviourForm | null>(null);
  const { set } = useReceiverMutations();
  const form = edited ?? formOf(receiver.behaviour);
  const behaviour = behaviourOf(form);
  const progress = progressWords(receiver);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (behaviour === null || set.isPending) return;
    set.mutate(
      { id: receiver.id, behaviour },
      {
        onSuccess: (changed) => {
          setEdited(null);
          announce(behaviourSentence(changed.behaviour));
        },
      },
    );
  };
  return (
    <section className="webhooks-behaviour scroll" aria-labelledby="webhooks-behaviour">
      <h3 className="h2" id="webhooks-behaviour">
        What it does <Origin of="extension" />
      </h3>
      <p>
        {behaviourSentence(receiver.behaviour)} {progress !== null && <span className="t3">{progress}.</span>}
      </p>
      <form className="webhooks-form" onSubmit={submit}>
        <BehaviourFields form={form} onChange={setEdited} />
        {set.error instanceof ServiceFailure && (
          <div className="webhooks-refused">
            <Refusal failure={set.error} />
          </div>
        )}
        <div className="row">
          <Button look="primary" type="submit" busy={set.isPending} disabled={edited === null || behaviour === null}>
            Change what it does
          </Button>
          {edited !== null && (
            <Button look="quiet" onClick={() => setEdited(null)}>
              Leave it as it was
            </Button>
          )}
        </div>
        <Note>It counts anew from the change on, and keeps what it received.</Note>
        <Pace />
      </form>
    </section>
  );
};

import { IconBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import type { FaultKind, FaultTarget, FaultTiming } from "../../../../sandbox/contract/control/fault-rows.ts";
import { type ErrorCode, errorCodes } from "../../../../sandbox/contract/errors.ts";
import { eventTypes } from "../../../../sandbox/contract/event-types.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { useCredentials } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { RadioField } from "../../../components/choices.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SendKeyForm } from "../../../components/form.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { parseSpan } from "../../../lib/spans.ts";
import { aboutOther, askedIn, type FaultForm, hasTiming, kindsFor, newFault, type Which } from "./fault-form.ts";
import styles from "./faults.module.css";
import { previewQuery, useArm } from "./queries.ts";

const operations = [...Object.keys(partnerCalls), "webhooks.subscribe", "webhooks.secret"].map((value) => ({
  value,
  label: `${operationTitle(value)} · ${value}`,
}));
const events = eventTypes.map((value) => ({ value, label: value }));
const codes = [
  ...(Object.keys(errorCodes) as ErrorCode[]).map((value) => ({
    value: value as string,
    label: `${errorCodes[value].status} ${value}`,
  })),
];

const kindWords: Readonly<Record<FaultTarget, Readonly<Record<FaultKind, string>>>> = {
  calls: {
    error: "Answer an error",
    delay: "Delay",
    drop: "Drop the connection",
    hang: "Hang: never answer",
    truncate: "Cut the answer off",
    rate_limit: "Limit the rate",
  },
  attempts: {
    error: "Count as answered an error",
    delay: "Delay",
    drop: "Drop the connection",
    hang: "",
    truncate: "",
    rate_limit: "",
  },
};

const timingWords: Readonly<Record<FaultTarget, Readonly<Record<FaultTiming, string>>>> = {
  calls: { before: "before the work: nothing is done", after: "after the work: it is done" },
  attempts: { before: "before it is sent", after: "after it was sent" },
};

const which: readonly { readonly value: Which; readonly label: string }[] = [
  { value: "all", label: "Every one" },
  { value: "first", label: "The first so many" },
  { value: "nth", label: "One alone, by its number" },
  { value: "every", label: "One in so many" },
  { value: "lot", label: "Some, by lot" },
];

interface PartProps {
  readonly form: FaultForm;
  readonly change: (part: Partial<FaultForm>) => void;
}

const missing = (value: number | null): string | null => (value === null ? "Give a number." : null);

/** Which calls or attempts it is about. */
const Target = ({ form, change }: PartProps) => {
  const { data } = useCredentials();
  const keys = (data ?? []).map(({ integration_id, organization_name, key_hint }) => ({
    value: integration_id,
    label: `${organization_name} · ${key_hint}`,
  }));
  return (
    <div className={styles.pair}>
      {form.about === "calls" ? (
        <SelectField
          label="Operation"
          placeholder="Any"
          options={operations}
          value={form.operation}
          onChange={(operation) => change({ operation })}
          clearable
        />
      ) : (
        <SelectField
          label="Event type"
          placeholder="Any"
          options={events}
          value={form.event_type}
          onChange={(event_type) => change({ event_type })}
          clearable
        />
      )}
      <SelectField
        label={form.about === "calls" ? "Called by" : "Sent to"}
        placeholder="Anybody"
        options={keys}
        value={form.integration_id}
        onChange={(integration_id) => change({ integration_id })}
        clearable
      />
    </div>
  );
};

const numberWords: Readonly<Record<Exclude<Which, "all" | "lot">, string>> = {
  first: "How many",
  nth: "Its number",
  every: "One in",
};

/** Which of those, by number or by lot. */
const WhichOnes = ({ form, change }: PartProps) => (
  <div className={styles.pair}>
    <SelectField
      label="Which of them"
      options={which}
      value={form.which}
      onChange={(next) => next && change({ which: next })}
    />
    {form.which === "lot" ? (
      <div className={styles.pair}>
        <NumberField
          label="Per cent"
          value={form.percent}
          onChange={(percent) => change({ percent })}
          decimals={2}
          error={missing(form.percent)}
        />
        <NumberField label="Seed" value={form.seed} onChange={(seed) => change({ seed })} placeholder="1" />
      </div>
    ) : (
      form.which !== "all" && (
        <NumberField
          label={numberWords[form.which]}
          value={form.number}
          onChange={(number) => change({ number })}
          error={missing(form.number)}
        />
      )
    )}
  </div>
);

/** What an effect needs to be told. */
const Details = ({ form, change }: PartProps) => {
  const { about, kind, code, status, seconds, bytes, limit, window } = form;
  if (kind === "error")
    return (
      <div className={styles.pair}>
        {about === "calls" && (
          <SelectField
            label="Error code"
            placeholder="None: a status alone"
            options={codes}
            value={code}
            onChange={(next) => change({ code: next })}
            clearable
          />
        )}
        {(about === "attempts" || code === null) && (
          <NumberField
            label="Status"
            value={status}
            onChange={(next) => change({ status: next })}
            error={missing(status)}
          />
        )}
      </div>
    );
  if (kind === "delay")
    return (
      <NumberField
        label="Seconds"
        value={seconds}
        onChange={(next) => change({ seconds: next })}
        decimals={3}
        error={missing(seconds)}
      />
    );
  if (kind === "truncate")
    return (
      <NumberField
        label="Bytes of the body that are sent"
        placeholder="half of them"
        value={bytes}
        onChange={(next) => change({ bytes: next })}
      />
    );
  if (kind === "rate_limit")
    return (
      <div className={styles.pair}>
        <NumberField
          label="Calls of an integration"
          value={limit}
          onChange={(next) => change({ limit: next })}
          error={missing(limit)}
        />
        <NumberField
          label="within so many seconds"
          value={window}
          onChange={(next) => change({ window: next })}
          error={missing(window)}
        />
      </div>
    );
  return null;
};

const Effect = ({ form, change }: PartProps) => {
  const group = useId();
  const { about, kind } = form;
  return (
    <>
      <SelectField
        label="What happens"
        options={kindsFor[about].map((value) => ({ value, label: kindWords[about][value] }))}
        value={kind}
        onChange={(next) => next && change({ kind: next })}
      />
      <Details form={form} change={change} />
      {hasTiming(form) && (
        <RadioField
          label="When"
          name={`${group}-when`}
          inline
          options={(["before", "after"] as const).map((value) => ({ value, label: timingWords[about][value] }))}
          value={form.when}
          onChange={(when) => change({ when })}
        />
      )}
    </>
  );
};

/** Makes a fault of one's own; the sentence it will be is the service's, before it is armed. */
export const FaultEditor = ({ onDone }: { onDone: () => void }) => {
  const group = useId();
  const world = useWorld();
  const [form, setForm] = useState(newFault);
  const change = (part: Partial<FaultForm>) => setForm({ ...form, ...part });
  const asked = askedIn(form);
  const preview = useQuery(previewQuery(world, useDeferredValue(asked)));
  const arm = useArm();
  const submit = () => {
    if (asked !== null && !arm.isPending) arm.mutate(asked, { onSuccess: onDone });
  };
  const failed = arm.error ?? preview.error;
  return (
    <SendKeyForm className={styles.form} keys={["Worlds", "Arm the fault"]} onSend={submit}>
      <RadioField
        label="What meets it"
        name={`${group}-about`}
        inline
        autoFocus
        options={[
          { value: "calls", label: "Calls to the service" },
          { value: "attempts", label: "Notifications it sends" },
        ]}
        value={form.about}
        onChange={(about) => setForm(aboutOther(form, about))}
      />
      <Target form={form} change={change} />
      {form.kind !== "rate_limit" && <WhichOnes form={form} change={change} />}
      <Effect form={form} change={change} />
      <div className={styles.pair}>
        <NumberField
          label="Fires at most so often"
          placeholder="no limit"
          value={form.uses}
          onChange={(uses) => change({ uses })}
        />
        <TextField
          label="Is over after"
          placeholder="10 min, 1 h; never by itself"
          value={form.lasts}
          onChange={(lasts) => change({ lasts })}
          error={form.lasts.trim() !== "" && parseSpan(form.lasts) === null ? "Give a span: 10 min, 1 h." : null}
        />
      </div>
      <TextField
        label="Name"
        placeholder="what you call it; it may have none"
        value={form.name}
        onChange={(name) => change({ name })}
      />
      {failed instanceof ServiceFailure ? (
        <Refusal failure={failed} />
      ) : (
        <p className={styles.sentence} aria-live="polite" data-incomplete={asked === null || undefined}>
          {asked === null ? "Something is missing above." : (preview.data?.sentence ?? "…")}
        </p>
      )}
      <span className={styles.end}>
        <Button
          type="submit"
          look="primary"
          icon={IconBolt}
          keys="mod+enter"
          busy={arm.isPending}
          disabled={asked === null}
        >
          Arm it
        </Button>
      </span>
    </SendKeyForm>
  );
};

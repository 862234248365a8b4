import { Group, Radio, SimpleGrid, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useId } from "react";
import type { FaultKind } from "../../../../sandbox/contract/control/fault-operations.ts";
import { type ErrorCode, errorCodes } from "../../../../sandbox/contract/errors.ts";
import { faultSentence } from "../../../../sandbox/contract/fault-words.ts";
import { partnerCalls } from "../../../../sandbox/contract/operations/partner-calls.ts";
import { DialogFoot } from "../../../components/dialog.tsx";
import { DraftNote } from "../../../components/draft-note.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SendKeyForm, Submit } from "../../../components/form.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { useFieldsDraft } from "../../../lib/draft.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { parseSpan } from "../clock/spans.ts";
import { type FaultForm, newFault, toFaultRequest } from "./fault-form.ts";
import { useArm } from "./queries.ts";

const operations = Object.keys(partnerCalls).map((value) => ({
  value,
  label: `${operationTitle(value)} · ${value}`,
}));
const codes = [
  ...(Object.keys(errorCodes) as ErrorCode[]).map((value) => ({
    value: value as string,
    label: `${errorCodes[value].status} ${value}`,
  })),
];

const kindLabels: Readonly<Record<FaultKind, string>> = {
  error: "Return an error",
  delay: "Delay",
  drop: "Drop the connection",
  hang: "Hang (never respond)",
  rate_limit: "Limit the rate",
};
const kinds = (Object.keys(kindLabels) as FaultKind[]).map((value) => ({ value, label: kindLabels[value] }));

interface PartProps {
  readonly form: FaultForm;
  readonly change: (part: Partial<FaultForm>) => void;
}

const missing = (value: number | null): string | null => (value === null ? "Enter a number." : null);

/** The affected calls. */
const Target = ({ form, change }: PartProps) => {
  const { data } = useCredentials();
  const keys = (data ?? []).map(({ integration_id, organization_name, key_hint }) => ({
    value: integration_id,
    label: `${organization_name} · ${key_hint}`,
  }));
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <SelectField
          label="Operation"
          placeholder="Any"
          options={operations}
          value={form.operation}
          onChange={(operation) => change({ operation })}
          autoFocus
          clearable
        />
        <SelectField
          label="Called by"
          placeholder="Any integration"
          options={keys}
          value={form.integration_id}
          onChange={(integration_id) => change({ integration_id })}
          clearable
        />
      </SimpleGrid>
      {form.kind !== "rate_limit" && (
        <NumberField
          label="Only the nth call"
          placeholder="every call"
          value={form.nth}
          onChange={(nth) => change({ nth })}
        />
      )}
    </>
  );
};

/** Parameters of an effect. */
const Details = ({ form, change }: PartProps) => {
  const { kind, code, status, seconds, limit, window } = form;
  if (kind === "error")
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <SelectField
          label="Error code"
          placeholder="None (status only)"
          options={codes}
          value={code}
          onChange={(next) => change({ code: next })}
          clearable
        />
        {code === null && (
          <NumberField
            label="Status"
            value={status}
            onChange={(next) => change({ status: next })}
            error={missing(status)}
          />
        )}
      </SimpleGrid>
    );
  if (kind === "delay")
    return (
      <NumberField
        label="Seconds"
        value={seconds}
        onChange={(next) => change({ seconds: next })}
        decimal
        error={missing(seconds)}
      />
    );
  if (kind === "rate_limit")
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberField
          label="Calls per integration"
          value={limit}
          onChange={(next) => change({ limit: next })}
          error={missing(limit)}
        />
        <NumberField
          label="Within (seconds)"
          value={window}
          onChange={(next) => change({ window: next })}
          error={missing(window)}
        />
      </SimpleGrid>
    );
  return null;
};

const Effect = ({ form, change }: PartProps) => {
  const group = useId();
  return (
    <>
      <SelectField
        label="Effect"
        options={kinds}
        value={form.kind}
        onChange={(next) => next && change({ kind: next })}
      />
      <Details form={form} change={change} />
      {form.kind !== "rate_limit" && (
        <Radio.Group label="When" name={`${group}-when`} value={form.when} onChange={(when) => change({ when })}>
          <Group gap="md" wrap="wrap">
            <Radio value="before" label="before the call runs" />
            <Radio value="after" label="after the call has run" />
          </Group>
        </Radio.Group>
      )}
    </>
  );
};

/** Creates a custom fault; shows its description before it is armed. */
export const FaultEditor = ({ onDone }: { onDone: () => void }) => {
  const draftState = useFieldsDraft<FaultForm>(`new-fault.${useWorld()}`, newFault, ({ kind }) => kind in kindLabels);
  const form = draftState.draft;
  const change = (part: Partial<FaultForm>) => draftState.change((now) => ({ ...now, ...part }));
  const request = toFaultRequest(form);
  const arm = useArm();
  const submit = () => {
    if (request === null || arm.isPending) return;
    // The promise also resolves after the form was closed.
    arm.mutateAsync(request, { onSuccess: onDone }).then(draftState.forget, () => undefined);
  };
  return (
    <SendKeyForm keys={["Worlds", "Arm fault"]} needs="manage" onSend={submit}>
      <Target form={form} change={change} />
      <Effect form={form} change={change} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberField
          label="Maximum hits"
          placeholder="no limit"
          value={form.uses}
          onChange={(uses) => change({ uses })}
        />
        <TextField
          label="Expires after"
          placeholder="10 min, 1 h; empty for never"
          value={form.lasts}
          onChange={(lasts) => change({ lasts })}
          error={
            form.lasts.trim() !== "" && parseSpan(form.lasts) === null
              ? "Enter a duration, such as 10 min or 1 h."
              : null
          }
        />
      </SimpleGrid>
      <TextField label="Name" placeholder="Optional" value={form.name} onChange={(name) => change({ name })} />
      {arm.error instanceof ServiceFailure ? (
        <Refusal failure={arm.error} />
      ) : (
        <Text component="p" p="8px 12px" className={request === null ? "" : "toned wait"} aria-live="polite">
          {request === null ? "Fill in the missing fields." : faultSentence(request)}
        </Text>
      )}
      <DialogFoot>
        <DraftNote of={draftState} />
        <Submit icon={IconBolt} needs="manage" busy={arm.isPending} disabled={request === null}>
          Arm fault
        </Submit>
      </DialogFoot>
    </SendKeyForm>
  );
};

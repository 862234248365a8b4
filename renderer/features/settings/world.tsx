import { Radio, SimpleGrid, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { policyChoices, policyQuestions } from "../../../sandbox/contract/control/policies.ts";
import type { Retention } from "../../../sandbox/contract/control/world-operations.ts";
import { Form, Submit } from "../../components/form.tsx";
import { TextLink } from "../../components/link.tsx";
import { NumberField } from "../../components/number-field.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { useSetPolicies, wordsFor } from "../../domain/world/switches.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { formatSpan } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { hasScope } from "../../lib/world-access.ts";
import { retentionQuery } from "./queries.ts";
import { Setting } from "./setting.tsx";

const MAX_HOURS = 87_600;
const MAX_MEBIBYTES = 65_536;

const wrong = (value: number | null, most: number): string | null =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= most
    ? null
    : `Enter a whole number from 1 to ${most}.`;

const RetentionForm = ({ retention }: { retention: Retention }) => {
  const world = useWorld();
  const client = useQueryClient();
  /** Typed limits that aren't saved yet. The others show the world's current values. */
  const [typed, setTyped] = useState<Partial<Record<keyof Retention, number | null>>>({});
  const { max_age_hours: hours, max_megabytes: mebibytes } = { ...retention, ...typed };
  const problems = [wrong(hours, MAX_HOURS), wrong(mebibytes, MAX_MEBIBYTES)] as const;
  const set = useMutation({
    mutationFn: (limits: Retention) => callControl("retention.set", { world, ...limits }),
    onSuccess: (after) => {
      client.setQueryData(retentionQuery(world).queryKey, after);
      setTyped({});
      const span = formatSpan(after.max_age_hours * 3_600_000);
      notify.done({
        title: `${world} keeps ${span} and ${after.max_megabytes} MiB of history`,
        from: { href: hrefs.setting("retention"), world },
      });
    },
    onError: (error) => notify.failed("Change retention", error),
  });
  const isChanged = hours !== retention.max_age_hours || mebibytes !== retention.max_megabytes;
  return (
    <Form
      onSend={() => {
        if (hours !== null && mebibytes !== null && isChanged && problems.every((problem) => problem === null))
          set.mutate({ max_age_hours: hours, max_megabytes: mebibytes });
      }}
    >
      <SimpleGrid cols={2} spacing="sm">
        <NumberField
          label="Hours"
          value={hours}
          onChange={(max_age_hours) => setTyped({ ...typed, max_age_hours })}
          error={problems[0]}
        />
        <NumberField
          label="MiB"
          value={mebibytes}
          onChange={(max_megabytes) => setTyped({ ...typed, max_megabytes })}
          error={problems[1]}
        />
      </SimpleGrid>
      <span>
        <Submit
          look="default"
          needs="manage"
          busy={set.isPending}
          disabled={!isChanged || problems.some((problem) => problem !== null)}
        >
          Save retention{" "}
        </Submit>
      </span>
    </Form>
  );
};

/** Limits on the records of this window's world. */
export const RetentionSetting = ({ retention }: { retention: Retention }) => (
  <Setting
    id="retention"
    appliesWhen="Applies immediately"
    about="Older calls, events, deliveries and log entries are deleted in the background, and the oldest ones first above the size limit. Jobs, orders and pending deliveries are kept."
  >
    <RetentionForm retention={retention} />
  </Setting>
);

/** The intervals of D72; each varies by up to a tenth. */
const waits = {
  standard: "after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h and 3 h",
  fast: "after 0.2 s, 0.5 s, 1 s, 2 s and 5 s",
  none: "1 attempt",
} as const;

/** Intervals between attempts of a failed delivery. */
export const Retries = ({ chosen }: { chosen: keyof typeof waits }) => {
  const world = useWorld();
  const set = useSetPolicies();
  const { decision } = policyQuestions.webhook_retries;
  return (
    <Setting
      id="retries"
      appliesWhen="Applies immediately"
      about={
        <p>
          When a failed delivery is retried. <Origin of="assumption" id={decision} switchable /> Change the other
          assumptions of this world in <TextLink href={hrefs.world(world)}>Worlds</TextLink>.
        </p>
      }
    >
      <Radio.Group
        label={<span className="sr">Retry schedule</span>}
        name="webhook_retries"
        value={chosen}
        onChange={(webhook_retries) => set.mutate({ webhook_retries })}
      >
        <Stack>
          {policyChoices.webhook_retries.map((value) => (
            <Radio
              key={value}
              value={value}
              label={wordsFor("webhook_retries", value)}
              description={waits[value]}
              disabled={!hasScope("manage")}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Setting>
  );
};

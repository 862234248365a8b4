import { Box, Flex, Group, Radio, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import {
  type Policies,
  type PolicyName,
  policyChoices,
  policyNames,
  policyQuestions,
} from "../../../../sandbox/contract/control/policies.ts";
import { Button } from "../../../components/button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { Time } from "../../../components/time.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { useSetPolicies, wordsFor } from "../../../domain/world/switches.ts";
import { useScrollIntoView } from "../../../kernel/place/use-scroll-into-view.ts";
import { switchesQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { hasScope } from "../../../lib/world-access.ts";

const defaultChoice = Object.fromEntries(policyNames.map((name) => [name, policyChoices[name][0]])) as Policies;

/** One example with both results. */
const Example = ({ name, value }: { name: PolicyName; value: string }) => (
  <Group variant="note" wrap="wrap" justify="space-between" mt={6} p="6px 10px" bdrs="sm" bg="var(--sunken)">
    <p>
      <Sentence text={policyQuestions[name].example} />
    </p>
    <Group component="dl" wrap="wrap" gap="2px 16px">
      {Object.entries(policyQuestions[name].leads).map(([choice, [status, result]]) => (
        <Group key={choice} gap={6} fw={choice === value ? 500 : 400}>
          <Text component="dt" c="dimmed">
            {choice === value ? "current" : "alternative"}
          </Text>
          <dd>
            {status !== null && <HttpStatus status={status} />} {result}{" "}
            <Text variant="aside">{wordsFor(name, choice)}</Text>
          </dd>
        </Group>
      ))}
    </Group>
  </Group>
);

interface AssumptionProps {
  readonly name: PolicyName;
  readonly value: string;
  readonly changedAt: string | null;
  /** True if the address names it. */
  readonly isShown: boolean;
  readonly onSet: (policies: Partial<Policies>) => void;
}

/** An assumption: the contract's statement and its gap, with both choices. */
const Assumption = ({ name, value, changedAt, isShown, onSet }: AssumptionProps) => {
  const heading = useId();
  const head = useScrollIntoView(isShown);
  const { question, decision, says, silent } = policyQuestions[name];
  return (
    <Group
      component="section"
      className="hl"
      wrap="wrap"
      align="flex-start"
      gap="4px 16px"
      p="8px 16px"
      style={value === defaultChoice[name] ? {} : { boxShadow: "inset 2px 0 0 var(--wait)" }}
      aria-labelledby={heading}
    >
      <Box flex="999 1 340px" miw={0}>
        <h3 id={heading} ref={head} tabIndex={-1}>
          {question}
        </h3>
        <Flex component="p" columnGap={6} rowGap={2} align="center" wrap="wrap" mih={20}>
          <Text variant="mono" c="dimmed">
            {name}
          </Text>
          <Origin of="assumption" id={decision} switchable />
          {changedAt !== null && (
            <Text variant="aside" {...(value !== defaultChoice[name] && { className: "st wait" })}>
              changed <Time at={changedAt} on="real" />
            </Text>
          )}
        </Flex>
        <Text component="p" variant="note">
          <Sentence text={`${says} ${silent}`} />
        </Text>
        <Example name={name} value={value} />
      </Box>
      <Box flex="1 1 272px">
        <Radio.Group
          label={<span className="sr">{question}</span>}
          name={name}
          value={value}
          onChange={(choice) => onSet({ [name]: choice })}
        >
          <Stack>
            {policyChoices[name].map((choice) => (
              <Radio
                key={choice}
                value={choice}
                disabled={!hasScope("manage")}
                label={wordsFor(name, choice)}
                description={
                  <Text variant="mono">{choice === defaultChoice[name] ? `${choice} (default)` : choice}</Text>
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      </Box>
    </Group>
  );
};

/**
 * Assumptions where the contract is silent and this window's world has a setting.
 * @param props.shown the one in the address, by its setting or its decision
 */
export const Assumptions = ({ shown }: { shown: string | undefined }) => {
  const world = useWorld();
  const query = useQuery(switchesQuery(world));
  const set = useSetPolicies();
  return (
    <Read of={query} what="the assumptions" rows={6}>
      {({ policies, changed_at }) => {
        const changed = policyNames.filter((name) => policies[name] !== defaultChoice[name]).length;
        return (
          <Section
            title="Assumptions"
            note="changes apply to new calls"
            actions={
              <>
                {changed > 0 && (
                  <span className="st wait">
                    {changed} of {policyNames.length} changed
                  </span>
                )}
                <Button
                  small
                  disabled={changed === 0}
                  needs="manage"
                  busy={set.isPending}
                  onClick={() => set.mutate(defaultChoice)}
                >
                  Reset to defaults
                </Button>
              </>
            }
          >
            {policyNames.map((name) => (
              <Assumption
                key={name}
                name={name}
                value={policies[name]}
                changedAt={changed_at[name]}
                isShown={shown === name || shown === policyQuestions[name].decision}
                onSet={(policy) => set.mutate(policy)}
              />
            ))}
          </Section>
        );
      }}
    </Read>
  );
};

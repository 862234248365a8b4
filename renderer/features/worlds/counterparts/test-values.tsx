import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import { TEST_PREFIX, testValueExamples } from "../../../../sandbox/contract/test-values.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";

/** The newest jobs whose claim number begins like a test value. */
const testedQuery = (world: string) =>
  controlQuery(worldKeys(world).jobs("tested"), "jobs.list", {
    ...{ world, search: TEST_PREFIX, sort: "created", limit: 100 },
  });

/** Identifies a kind of test value: drops prefix, durations and counts, so `test:webhook=late=1m` equals `webhook=late=2h`. */
const kindOf = (value: string): string =>
  value
    .trim()
    .replace(TEST_PREFIX, "")
    .replace(/=\d+(?:ms|s|m|h|d)$|\*\d+$/, "");
const hasValue = ({ claim_number }: JobRow, example: string): boolean =>
  claim_number?.split(";").some((value) => kindOf(value) === kindOf(example)) ?? false;

/** Every test value, and the newest job of this world that used it. */
export const TestValues = () => {
  const { data: jobs } = useQuery(testedQuery(useWorld()));
  return (
    <Section title="Test values" note="send one as claim_number of repairer.jobs.insert">
      <ul>
        {testValueExamples.map(({ value, outcome }) => {
          const used = jobs?.items.find((job) => hasValue(job, value));
          return (
            <Group key={value} component="li" className="hl" align="baseline" gap="2px 12px" p="6px 16px" wrap="wrap">
              <Group component="span" gap={4} flex="1 1 240px">
                <Text variant="mono">{value}</Text>
                <CopyButton text={value} what={value} />
              </Group>
              <Text c="secondary" flex="999 1 300px" miw={0}>
                {outcome}
              </Text>
              {used && (
                <Text component="p" variant="note" flex="0 1 auto" truncate>
                  last used by{" "}
                  <TextLink href={hrefs.job(used.id)}>{used.job_number ?? used.external_id ?? "a job"}</TextLink>{" "}
                  <Time at={used.created_at} />
                </Text>
              )}
            </Group>
          );
        })}
      </ul>
    </Section>
  );
};

import { Box, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Section } from "../../../components/section.tsx";
import { Side, sideWord } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { orderName } from "../../../domain/procurement/words.ts";
import { jsonFile, SaveButton } from "../../../kernel/notices/file-buttons.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { Transition } from "../moves.ts";
import { MissingView, type SideView, type TwoSides } from "../two-sides.tsx";

const SideResponse = ({ of: seen, marks }: { of: SideView; marks: readonly string[] }) => (
  <section aria-label={`${sideWord(seen.side)}’s response`}>
    <Group fz="sm" lh="sm" className="hb" component="h3" mih={36} py="xs" px="md" bg="var(--canvas)">
      <Side side={seen.side} word={`${sideWord(seen.side)} sees`} />
      <Text variant="mono" c="dimmed" flex={1} truncate>
        {seen.operation}
      </Text>
      {seen.view !== null && (
        <SaveButton
          what={`${sideWord(seen.side)}’s response`}
          file={() => jsonFile(`${orderName(seen.about)}-${seen.side}`, seen.view)}
        />
      )}
    </Group>
    {seen.view === null ? (
      <MissingView of={seen} />
    ) : (
      <Box py="sm">
        <JsonView value={seen.view} label={`${seen.operation} response`} marks={marks} />
      </Box>
    )}
  </section>
);

interface Props {
  readonly row: ProcurementRow;
  readonly sides: TwoSides;
  readonly transition: Transition | null;
}

/** Both responses as received, and the last transition as a diff. */
export const JsonTab = ({ row, sides, transition }: Props) => {
  const marks = transition?.changes.map((change) => change.pointer) ?? [];
  return (
    <Stack gap={0} className="scroll" pos="relative" flex={1}>
      {transition && (
        <Section
          ruled={false}
          title="Last change"
          note={
            <>
              {plural(transition.changes.length, "field")} of {orderName(row)}, <Time at={row.updated_at} />
            </>
          }
        >
          <Box pb="sm">
            <DiffView
              before={transition.before}
              after={transition.after}
              title={transition.request.operation ?? "a call"}
            />
          </Box>
        </Section>
      )}
      <SimpleGrid className="hl" type="container" cols={{ base: 1, "560px": 2 }} spacing={0} verticalSpacing={0}>
        <SideResponse of={sides.buyer} marks={marks} />
        <SideResponse of={sides.supplier} marks={marks} />
      </SimpleGrid>
    </Stack>
  );
};

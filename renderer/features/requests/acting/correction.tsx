import { Box, Group, Text } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/section.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import type { Correction, Explanation } from "../../../domain/exchange/explanation.ts";
import { placeOf } from "../../../domain/share/edit-words.ts";
import { plural } from "../../../lib/formatting.ts";

const written = (value: unknown): string => JSON.stringify(value);

const EditLines = ({ edit }: { edit: Correction["edits"][number] }) => {
  const name = placeOf(edit);
  return (
    <>
      {edit.before !== undefined && (
        <div className="d del">
          <span role="img" aria-label="removed">
            −
          </span>
          <span title={written(edit.before)}>
            {name}: {written(edit.before)}
          </span>
        </div>
      )}
      {edit.after !== undefined && (
        <div className="d add">
          <span role="img" aria-label="added">
            +
          </span>
          <span title={written(edit.after)}>
            {name}: {written(edit.after)}
          </span>
        </div>
      )}
      <div className="d" style={{ font: "var(--t-12)", whiteSpace: "normal", paddingBottom: 6 }}>
        <span />
        <Text c="dimmed">
          <Sentence text={edit.reason} />
        </Text>
      </div>
    </>
  );
};

/** A proposed body as edits of the one that was sent, and what it would be answered now: it was tried once, and undone. */
export const CorrectionNote = ({ correction }: { correction: Correction }) => {
  const { edits, would_answer } = correction;
  return (
    <section className="hl" aria-label="Correction">
      <div className="sec">
        <h3 className="h2">Correction</h3>
        <Text variant="aside">{plural(edits.length, "edit")}</Text>
      </div>
      <div className="df">
        {edits.map((edit) => (
          <EditLines key={edit.pointer} edit={edit} />
        ))}
      </div>
      <Box px="lg" pt={6} pb="md">
        <Note icon={<Icon of={IconArrowRight} size={14} />}>
          {would_answer.status === 200 ? "Accepted in a dry run" : "Still refused in a dry run"}:{" "}
          <HttpStatus status={would_answer.status} /> {would_answer.outcome}
        </Note>
      </Box>
    </section>
  );
};

/** Known values for a field at fault, where several fit. */
export const Suggestions = ({
  suggestions,
  more_suggestions: more,
}: Pick<Explanation, "suggestions" | "more_suggestions">) => (
  <ul aria-label={`Known values for ${suggestions[0]?.pointer}`} style={{ listStyle: "none" }}>
    {suggestions.map(({ value, label }) => (
      <Group key={value} component="li" gap="xs">
        <Text component="code" variant="mono">
          {value}
        </Text>{" "}
        {label !== value && label}
        <CopyButton text={value} what={value} />
      </Group>
    ))}
    {more > 0 && <Text component="li" variant="aside">{`and ${more} more`}</Text>}
  </ul>
);

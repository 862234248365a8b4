import { Group, Text } from "@mantine/core";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import type { Correction, Explanation } from "../../../domain/exchange/explanation.ts";
import { editLocation } from "../../../domain/share/edit-words.ts";
import { plural } from "../../../lib/formatting.ts";

const valueText = (value: unknown): string => JSON.stringify(value);

const EditLines = ({ edit }: { edit: Correction["edits"][number] }) => {
  const name = editLocation(edit);
  return (
    <>
      {edit.before !== undefined && (
        <div className="d del">
          <span role="img" aria-label="removed">
            −
          </span>
          <span title={valueText(edit.before)}>
            {name}: {valueText(edit.before)}
          </span>
        </div>
      )}
      {edit.after !== undefined && (
        <div className="d add">
          <span role="img" aria-label="added">
            +
          </span>
          <span title={valueText(edit.after)}>
            {name}: {valueText(edit.after)}
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

/** A proposed body as edits of the sent one. It was never sent and may be refused for another reason. */
export const CorrectionNote = ({ correction: { edits } }: { correction: Correction }) => (
  <section className="hl" aria-label="Proposed correction">
    <div className="sec">
      <h3 className="h2">Proposed correction</h3>
      <Text variant="aside">{plural(edits.length, "edit")}, not tried</Text>
    </div>
    <div className="df">
      {edits.map((edit) => (
        <EditLines key={edit.pointer} edit={edit} />
      ))}
    </div>
  </section>
);

/** Suggested values for a field at fault. */
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

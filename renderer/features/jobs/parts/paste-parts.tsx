import { Box, Table } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMemo, useRef } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import { OpenTextButton } from "../../../app/file-buttons.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Kbd } from "../../../components/kbd.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { useDraft } from "../../../lib/draft.ts";
import { plural } from "../../../lib/formatting.ts";
import jobs from "../jobs.module.css";
import { MOST_PARTS, type PartLine, partOf, readPartList } from "./part-list.ts";

const example = "Front bumper cover; Colour match\nHeadlamp, right, LED\n2 x Fog lamp\nBonnet\n12 x Retaining clip set";

const lists = [{ name: "Lists", extensions: ["txt", "csv", "tsv"] }];

const Understood = ({ lines }: { lines: readonly PartLine[] }) => (
  <Box className="scroll" mah={220} mt="xs" bd="1px solid var(--line)" bdrs="var(--r2)" bg="var(--surface)">
    <Table>
      <caption className="sr">Parts read from the list</caption>
      <colgroup>
        <col style={{ width: 40 }} />
        <col style={{ width: 76 }} />
        <col />
        <col style={{ width: "40%" }} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className="r">
            Line
          </th>
          <th scope="col" className="r">
            quantity
          </th>
          <th scope="col">description</th>
          <th scope="col">note</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, quantity, description, note, problem, remark }) => (
          <tr key={line}>
            <td className="r t3">{line}</td>
            <td className="r">{quantity ?? <span className="t3">not sent</span>}</td>
            <td className="el" title={description}>
              {description || <span className="t3">empty</span>}
            </td>
            <td className={problem || remark ? jobs.wrap : "el"}>
              {problem ? (
                <span className="st bad">
                  <Icon of={IconAlertTriangle} size={14} />
                  {problem}
                </span>
              ) : remark ? (
                <span className="t3 t12">{remark}</span>
              ) : (
                (note ?? <span className="t3">not sent</span>)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Box>
);

/** A way to say which parts to add. */
export interface PartsFormProps {
  readonly jobId: string;
  readonly busy: boolean;
  /** Whether they were inserted. */
  readonly onSend: (parts: PartInsert[]) => Promise<boolean>;
}

/** A list pasted from an estimate or a spreadsheet, shown as it is understood before it is sent. */
export const PasteParts = ({ jobId, busy, onSend }: PartsFormProps) => {
  const { draft: text, change } = useDraft<string>(
    { name: `parts.${useWorld()}.${jobId}` },
    {
      initial: () => "",
      read: (stored) => (typeof stored === "string" ? stored : null),
      isWorth: (pasted) => pasted !== "",
    },
  );
  const paste = (next: string) => change(() => next);
  const lines = useMemo(() => readPartList(text), [text]);
  const wrong = lines.filter(({ problem }) => problem !== null);
  const [first] = wrong;
  const tooMany = lines.length > MOST_PARTS;
  const ready = lines.length > 0 && wrong.length === 0 && !tooMany && !busy;
  const send = async () => {
    if (await onSend(lines.map(partOf))) paste("");
  };
  const form = useRef<HTMLDivElement>(null);
  useSendKey(form, "Job", { label: "Insert pasted parts", enabled: ready, run: () => void send() });
  return (
    <div ref={form} className={jobs.paste}>
      <TextAreaField
        mono
        label="One part per line"
        rows={7}
        value={text}
        onChange={paste}
        placeholder={"2 x Bonnet\nHeadlamp, right; LED"}
        hint="Write “2 x Bonnet; note”. Or paste spreadsheet cells: description, quantity, note. The quantity can also be first or last."
      />
      {lines.length > 0 ? (
        <Understood lines={lines} />
      ) : (
        <Box className="t12 t2" component="p" mt="xl">
          Paste a list to preview the parts here.{" "}
          <button type="button" className="lnk" onClick={() => paste(example)}>
            Try an example
          </button>{" "}
          or <OpenTextButton label="open a file" kinds={lists} onText={paste} />
        </Box>
      )}
      <div className={`row ${jobs.pasteFoot}`}>
        <Button look="primary" keys="mod+enter" busy={busy} disabled={!ready} onClick={() => void send()}>
          {lines.length === 0 ? "Insert parts" : `Insert ${plural(lines.length, "part")}`}
        </Button>
        {first && (
          <span className="t12 t2">
            Line {first.line}: {first.problem}
            {wrong.length > 1 && ` (and ${plural(wrong.length - 1, "more line")})`}.{" "}
            <button type="button" className="lnk" onClick={() => void send()}>
              Send anyway
            </button>{" "}
            to see the error.
          </span>
        )}
        {tooMany && <span className="t12 t2">A call takes at most {MOST_PARTS} parts.</span>}
        {lines.length === 0 && (
          <span className="t12 t3">
            <Kbd keys="esc" /> closes this. Your text is kept.
          </span>
        )}
      </div>
    </div>
  );
};

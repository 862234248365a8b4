import { IconPlus } from "@tabler/icons-react";
import { useRef } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { type TypedPart, useJobs } from "../jobs-store.ts";
import { quantityProblem } from "./part-list.ts";

const empty: TypedPart = { description: "", quantity: null, note: "", external: "" };

/** One part at a time; a sent one empties the form for the next. */
export const OnePart = ({
  jobId,
  busy,
  onSend,
}: {
  jobId: string;
  busy: boolean;
  onSend: (parts: PartInsert[]) => Promise<boolean>;
}) => {
  const key = `${useWorld()} ${jobId}`;
  const draft = useJobs(({ typed }) => typed[key] ?? empty);
  const typePart = useJobs((state) => state.typePart);
  const setDraft = (next: TypedPart) => typePart(key, next);
  const form = useRef<HTMLFormElement>(null);
  const { description, quantity, note, external } = draft;
  const problem = quantity === null ? null : quantityProblem(quantity);
  const part: PartInsert = {
    description,
    ...(quantity === null ? {} : { quantity }),
    ...(note === "" ? {} : { note }),
    ...(external === "" ? {} : { identity: { external_id: external } }),
  };
  const send = async () => {
    const taken = await onSend([part]).catch(() => false);
    if (!taken) return;
    setDraft(empty);
    form.current?.querySelector("input")?.focus();
  };
  return (
    <form
      ref={form}
      className="jobs-one-part"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) void send();
      }}
    >
      <TextField
        label="description"
        value={description}
        onChange={(next) => setDraft({ ...draft, description: next })}
        placeholder="Front bumper cover"
      />
      <NumberField
        label="quantity"
        value={quantity}
        onChange={(next) => setDraft({ ...draft, quantity: next })}
        error={problem === null ? null : "0 to 255"}
        decimals={3}
        placeholder="1"
      />
      <TextField label="note" value={note} onChange={(next) => setDraft({ ...draft, note: next })} />
      <TextField
        mono
        label="external_id"
        value={external}
        onChange={(next) => setDraft({ ...draft, external: next })}
        placeholder="none"
      />
      <Button type="submit" look="primary" icon={IconPlus} busy={busy} disabled={description === ""}>
        Add part
      </Button>
      {problem !== null && (
        <p className="t12 t2 jobs-one-part-wrong">
          {problem}.{" "}
          <button type="button" className="lnk" onClick={() => void onSend([part]).catch(() => false)}>
            Send it all the same
          </button>{" "}
          to see the refusal.
        </p>
      )}
    </form>
  );
};

import { IconChevronDown, IconChevronRight, IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { recentRequestsQuery } from "../../../app/world-queries.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Failing } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Form } from "../../../components/form.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { announce } from "../../../lib/announce.ts";
import { restoredDraft, useDraft } from "../../../lib/draft.ts";
import { formatMs, plural } from "../../../lib/formatting.ts";
import type { Exchange } from "../../../lib/service-client.ts";
import jobs from "../jobs.module.css";
import { useInsertParts } from "../mutations.ts";
import { quantityProblem } from "./part-list.ts";
import { type PartsFormProps, PasteParts } from "./paste-parts.tsx";

/** The form of one part, as it was left. */
interface TypedPart {
  readonly description: string;
  readonly quantity: number | null;
  readonly note: string;
  readonly external: string;
}
const empty: TypedPart = { description: "", quantity: null, note: "", external: "" };

const typedIn = (stored: unknown): TypedPart => {
  const quantity: unknown = typeof stored === "object" && stored !== null ? Reflect.get(stored, "quantity") : null;
  const { description, note, external } = restoredDraft({ description: "", note: "", external: "" }, stored);
  return { description, note, external, quantity: typeof quantity === "number" ? quantity : null };
};
const isTouched = ({ description, quantity, note, external }: TypedPart): boolean =>
  description + note + external !== "" || quantity !== null;

/** One part at a time; a sent one empties the form for the next. */
const OnePart = ({ jobId, busy, onSend }: PartsFormProps) => {
  const { draft, change } = useDraft<TypedPart>(
    { name: `part.${useWorld()}.${jobId}` },
    { initial: () => empty, read: typedIn, isWorth: isTouched },
  );
  const setDraft = (next: TypedPart) => change(() => next);
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
    if (!(await onSend([part]))) return;
    setDraft(empty);
    form.current?.querySelector("input")?.focus();
  };
  return (
    <Form ref={form} className={jobs.onePart} onSend={() => problem === null && void send()}>
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
        <p className={`t12 t2 ${jobs.onePartWrong}`}>
          {problem}.{" "}
          <button type="button" className="lnk" onClick={() => void onSend([part])}>
            Send anyway
          </button>{" "}
          to see the error.
        </p>
      )}
    </Form>
  );
};

const meanings: Readonly<Record<string, string>> = {
  unprocessable: "a part is invalid, or belongs to another job",
  not_found: "the job doesn’t exist for this key",
  forbidden: "the key is valid but has the wrong scope",
  unauthorized: "the API key and the integration ID don’t match",
};

/** Why the sandbox refused: the answer does not say it, but its record of the exchange does. */
const useReason = (requestId: string | null): string | null => {
  const { data } = useQuery(recentRequestsQuery(useWorld()));
  return data?.items.find(({ id }) => id === requestId)?.outcome ?? null;
};

/** A bare string is all the contract answers here; what it means, and why, comes from beside the contract. */
const Refused = ({ exchange }: { exchange: Exchange }) => {
  const reason = useReason(exchange.requestId);
  const meaning = exchange.failure && (meanings[exchange.failure.code] ?? exchange.failure.message);
  return (
    <div className={jobs.refused} role="alert">
      <div className="row">
        <HttpStatus status={exchange.status} />
        <code>{JSON.stringify(exchange.body)}</code>
        <span className="t12 t2">{formatMs(exchange.durationMs)} round trip</span>
      </div>
      <p className="t12">
        The whole response is a bare JSON string. Only this operation answers errors like this.
        {meaning && ` It means that ${meaning}.`} <Origin of="contract" />
      </p>
      {reason && (
        <p className="t12">
          Reason: <b className="w5">{reason}</b> <Origin of="extension" />
        </p>
      )}
      <p className="t12 t2">No parts were inserted.</p>
    </div>
  );
};

const countIn = (body: unknown): number | null =>
  typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items) ? body.items.length : null;

interface PartsAnswerProps {
  readonly exchange: Exchange | null;
  readonly error: Error | null;
  readonly sent: readonly PartInsert[] | null;
}

const PartsAnswer = ({ exchange, error, sent }: PartsAnswerProps) => {
  const [open, setOpen] = useState(false);
  if (error) return <Failing what="The response" error={error} />;
  if (!exchange) return null;
  if (!exchange.ok) return <Refused exchange={exchange} />;
  const { status, body, durationMs } = exchange;
  const count = countIn(body);
  return (
    <div>
      <button type="button" className="row t12" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        <HttpStatus status={status} />
        <span>
          {sent && `${plural(sent.length, "part")} sent`}
          {count !== null && `, ${plural(count, "part")} returned (all parts of the job)`}
        </span>
        <span className="t3">{formatMs(durationMs)} round trip</span>
      </button>
      {open && (
        <div className={`wirebox ${jobs.answerJson}`}>
          <JsonView value={body} label="response" foldFrom={3} />
        </div>
      )}
    </div>
  );
};

export type AddingBy = "form" | "list";

interface AddPartsProps {
  readonly jobId: string;
  readonly credential: KeyedCredential;
  readonly by: AddingBy;
  /** How often it was asked for; each time it takes the focus. */
  readonly asked: number;
  readonly onBy: (by: AddingBy) => void;
  readonly onClose: () => void;
}

const note = "repairer.jobs.parts.insert: inserts all parts or none";

/** Inserts parts one by one or as a pasted list, and shows what the service answered. */
export const AddParts = ({ jobId, credential, by, asked, onBy, onClose }: AddPartsProps) => {
  const insert = useInsertParts(jobId, credential);
  const panel = useRef<HTMLElement>(null);
  // Whoever opens it, or changes the way, wants to type.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each way has a field of its own, and each asking is a wish to type
  useEffect(() => panel.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [by, asked]);
  const send = async (parts: PartInsert[]): Promise<boolean> => {
    // What failed otherwise is shown as the mutation's error.
    const exchange = await insert.mutateAsync(parts).catch(() => null);
    if (exchange) announce(exchange.ok ? "Parts inserted" : `Refused with ${exchange.status}`);
    return exchange?.ok ?? false;
  };
  return (
    <section
      ref={panel}
      className={jobs.add}
      aria-label="Add parts"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="row">
        <Segmented
          label="How to add parts"
          value={by}
          onChange={onBy}
          options={[
            { value: "form", label: "One by one" },
            { value: "list", label: "Paste a list" },
          ]}
        />
        <span className="t12 t3 el" title={note}>
          {note}
        </span>
        <Origin of="assumption" id="D38" />
        <span className="grow" />
        <IconButton small icon={IconX} label="Close" onClick={onClose} />
      </div>
      {by === "form" ? (
        <OnePart jobId={jobId} busy={insert.isPending} onSend={send} />
      ) : (
        <PasteParts jobId={jobId} busy={insert.isPending} onSend={send} />
      )}
      <PartsAnswer exchange={insert.data ?? null} error={insert.error} sent={insert.variables ?? null} />
    </section>
  );
};

import { IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { IconButton } from "../../../components/button.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { announce } from "../../../lib/announce.ts";
import { useInsertParts } from "../mutations.ts";
import { OnePart } from "./one-part.tsx";
import { PartsAnswer } from "./parts-answer.tsx";
import { PasteParts } from "./paste-parts.tsx";

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

/** Inserts parts one by one or as a pasted list, and shows what the service answered. */
export const AddParts = ({ jobId, credential, by, asked, onBy, onClose }: AddPartsProps) => {
  const insert = useInsertParts(jobId, credential);
  const panel = useRef<HTMLElement>(null);
  // Whoever opens it, or changes the way, wants to type.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each way has a field of its own, and each asking is a wish to type
  useEffect(() => panel.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [by, asked]);
  const send = async (parts: PartInsert[]): Promise<boolean> => {
    const exchange = await insert.mutateAsync(parts);
    announce(exchange.ok ? "Parts inserted" : `Refused with ${exchange.status}`);
    return exchange.ok;
  };
  return (
    <section
      ref={panel}
      className="jobs-add"
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
        <span className="t12 t3 el">repairer.jobs.parts.insert, all parts of a call or none</span>
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

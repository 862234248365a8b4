import { Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { DialogFoot } from "../../components/dialog.tsx";
import { Submit } from "../../components/form.tsx";
import type { Inserted } from "./address.ts";

/** Formats a time for an input of type `datetime-local`: "2026-03-17T10:00", in local time. */
const toInputValue = (iso: string | undefined): string => {
  if (iso === undefined) return "";
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The current range, and the handler of another. */
interface BetweenFormProps extends Inserted {
  readonly onChoose: (range: Inserted) => void;
}

/** Asks for a range of insertion times; either end may stay open. */
export const BetweenForm = ({ onChoose, ...before }: BetweenFormProps) => {
  const [from, setFrom] = useState(toInputValue(before.from));
  const [to, setTo] = useState(toInputValue(before.to));
  const isTurned = from !== "" && to !== "" && from >= to;
  const choose = (event: FormEvent) => {
    event.preventDefault();
    onChoose({
      ...(from && { from: new Date(from).toISOString() }),
      ...(to && { to: new Date(to).toISOString() }),
    });
  };
  return (
    <form onSubmit={choose}>
      <Group grow align="flex-start">
        <TextInput
          label="From"
          description="By the world’s clock"
          type="datetime-local"
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Before"
          description="Empty: up to now"
          type="datetime-local"
          value={to}
          error={isTurned && "This isn’t later than From."}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </Group>
      <DialogFoot>
        <Submit disabled={isTurned || (from === "" && to === "")}>Filter jobs</Submit>
      </DialogFoot>
    </form>
  );
};

import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { Button, IconButton } from "../../components/button.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { keptIn } from "../../lib/storage.ts";
import styles from "./console.module.css";

interface Saved {
  readonly name: string;
  readonly body: string;
}
interface SavedState {
  readonly of: Readonly<Record<string, readonly Saved[]>>;
  readonly set: (operation: string, saved: readonly Saved[]) => void;
}

/** Bodies a person keeps to send them again, by operation; for every window, until they are taken away. */
const useSaved = create<SavedState>()(
  persist(
    (set) => ({
      of: {},
      set: (operation, saved) => set(({ of }) => ({ of: { ...of, [operation]: saved } })),
    }),
    { name: "explorer.console.saved", version: 1, storage: keptIn("browser") },
  ),
);
const none: readonly Saved[] = [];

/** The bodies an operation is documented with, and those a person saved. */
export const Examples = ({
  declared,
  body,
  onFill,
}: {
  declared: Declared;
  body: string;
  onFill: (body: string) => void;
}) => {
  const saved = useSaved(({ of }) => of[declared.id] ?? none);
  const set = useSaved((state) => state.set);
  const [name, setName] = useState("");
  const save = () => {
    const called = name.trim();
    if (called === "") return;
    set(declared.id, [...saved.filter((one) => one.name !== called), { name: called, body }]);
    setName("");
  };
  return (
    <section aria-label="Examples">
      <div className="sec hl">
        <h3 className="h2">Examples</h3>
        <span className="t12 t3">saved ones stay on this machine</span>
      </div>
      <ul className={styles.examples} aria-label="Bodies to fill in">
        {declared.examples.map(([called, value]) => (
          <li key={called}>
            <button type="button" className="lnk t12 el" onClick={() => onFill(JSON.stringify(value, null, 2))}>
              {called.replaceAll("_", " ")}
            </button>
            <span className="t11 t3">given</span>
          </li>
        ))}
        {saved.map((one) => (
          <li key={one.name}>
            <button type="button" className="lnk t12 el" onClick={() => onFill(one.body)}>
              {one.name}
            </button>
            <IconButton
              small
              icon={IconX}
              label={`Forget ${one.name}`}
              onClick={() =>
                set(
                  declared.id,
                  saved.filter((other) => other.name !== one.name),
                )
              }
            />
          </li>
        ))}
      </ul>
      <Form className={styles.saving} onSend={save}>
        <TextField
          label={<span className="sr">Name of the example</span>}
          placeholder="Name for this body"
          value={name}
          onChange={setName}
        />
        <Button small type="submit" disabled={name.trim() === ""}>
          Save
        </Button>
      </Form>
    </section>
  );
};

import { Autocomplete, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useActAs } from "../../app/acting.ts";
import { useWorld } from "../../app/world.ts";
import { shortened } from "../../lib/formatting.ts";
import { type Path, valueAt } from "../../lib/json-text.ts";
import { isId } from "../../lib/search-params.ts";
import styles from "./form.module.css";
import { pickKindOf, picksQuery } from "./picks.ts";

interface PickInputProps {
  readonly operation: string;
  readonly path: Path;
  readonly body: unknown;
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly isMono: boolean;
  readonly onFocus: () => void;
  readonly onChange: (text: string) => void;
}

/** Text; where the field names a thing of this world, those are offered by name. What is written is what is sent. */
export const PickInput = ({ operation, path, body, isMono, describedBy, isWrong, label, ...input }: PickInputProps) => {
  const world = useWorld();
  const kind = pickKindOf(operation, path);
  const [isFocused, setFocused] = useState(false);
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed, 150);
  const { credential: key } = useActAs("repairer");
  const asked = { world, kind, job: valueAt(body, ["job_identity"]), key };
  const { data: offered = [] } = useQuery({
    ...picksQuery({ ...asked, text }),
    enabled: isFocused,
    placeholderData: keepPreviousData,
  });
  const { data: known = [] } = useQuery(
    picksQuery({ ...asked, kind: input.value === "" ? null : kind, text: input.value }),
  );
  const shared = {
    "aria-label": label,
    "aria-describedby": describedBy,
    error: isWrong,
    classNames: { root: styles.input ?? "", input: "field-input" },
    className: isMono ? "is-mono" : "",
    spellCheck: false,
    autoComplete: "off",
    value: input.value,
    onFocus: () => {
      setFocused(true);
      input.onFocus();
    },
    onBlur: () => setFocused(false),
  };
  if (kind === null) return <TextInput {...shared} onChange={(event) => input.onChange(event.currentTarget.value)} />;
  const named = known.find(({ value }) => value.toLowerCase() === input.value.toLowerCase());
  const noted = new Map(offered.map((one) => [one.value, one]));
  return (
    <span className={styles.pick}>
      <Autocomplete
        {...shared}
        data={[...noted.keys()]}
        // They are found by name too: the service, or the list of them, looks for what was typed.
        filter={({ options }) => options}
        renderOption={({ option }) => {
          const one = noted.get(option.value);
          return (
            <span className={styles.option}>
              <b className="el" title={one?.name ?? option.value}>
                {one?.name ?? option.value}
              </b>
              <span className="m11 t3 nw" title={option.value}>
                {isId(option.value) ? shortened(option.value)?.join("…") : option.value}
              </span>
              {one?.note && <span className="t3 el">{one.note}</span>}
            </span>
          );
        }}
        onChange={(next) => {
          setTyped(noted.has(next) ? "" : next);
          input.onChange(next);
        }}
      />
      {named && named.name !== named.value && (
        <span className="t12 t2 el" title={[named.name, named.note].filter(Boolean).join(" · ")}>
          {named.name}
          {named.note && <span className="t3"> · {named.note}</span>}
        </span>
      )}
    </span>
  );
};

import { Autocomplete, Group, type OptionsFilter, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shortId } from "../../../sandbox/contract/text.ts";
import { useActAs } from "../../kernel/credentials/acting.ts";
import { useWorld } from "../../kernel/world/world.ts";
import type { Path } from "../../lib/json-text.ts";
import { isId } from "../../lib/search-params.ts";
import { valueAt } from "./json-body.ts";
import { fieldPickKind, picksQuery } from "./picks.ts";

interface PickProps<V> {
  readonly operation: string;
  readonly path: Path;
  readonly body: unknown;
  readonly label: string;
  readonly value: V;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
  readonly onFocus: () => void;
  readonly onChange: (value: V) => void;
}

/** Props of an input that suggests this world's values by name. */
const usePicks = <V,>({ operation, path, body, label, isWrong, describedBy, onFocus }: PickProps<V>) => {
  const kind = fieldPickKind(operation, path);
  const [isFocused, setFocused] = useState(false);
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed, 150);
  const { credential: key } = useActAs("repairer");
  const pickRequest = { world: useWorld(), kind, job: valueAt(body, ["job_identity"]), key };
  const { data = [] } = useQuery({
    ...picksQuery({ ...pickRequest, text }),
    enabled: isFocused,
    placeholderData: keepPreviousData,
  });
  const offered = new Map(data.map((one) => [one.value, one]));
  const common = {
    "aria-label": label,
    "aria-describedby": describedBy,
    error: isWrong,
    spellCheck: false,
    autoComplete: "off",
    onFocus: () => {
      setFocused(true);
      onFocus();
    },
    onBlur: () => setFocused(false),
    flex: 1,
    miw: 0,
  };
  const offers = {
    data: [...offered.keys()],
    // Not filtered again: the search also matches names.
    filter: (({ options }) => options) satisfies OptionsFilter<string>,
    renderOption: ({ option: { value } }: { option: { value: string } }) => {
      const { name, note } = offered.get(value) ?? { name: value, note: "" };
      return (
        <Group component="span" wrap="wrap" gap="0 8px" align="baseline" w="100%" fz="sm" lh="sm">
          <Text component="b" fw={500} flex={1} truncate title={name}>
            {name}
          </Text>
          <Text variant="mono" c="dimmed" textWrap="nowrap" title={value}>
            {isId(value) ? shortId(value) : value}
          </Text>
          {note && (
            <Text c="dimmed" w="100%" truncate>
              {note}
            </Text>
          )}
        </Group>
      );
    },
  };
  return { pickRequest, offered, common, offers, setTyped };
};

/** A text input that suggests this world's values by name. The text itself is sent. */
export const PickInput = (props: PickProps<string> & { readonly isMono: boolean }) => {
  const { value, isMono, onChange } = props;
  const { pickRequest, offered, common, offers, setTyped } = usePicks(props);
  const { data: known = [] } = useQuery(
    picksQuery({ ...pickRequest, kind: value === "" ? null : pickRequest.kind, text: value }),
  );
  const shared = {
    ...common,
    value,
    className: isMono ? "is-mono" : "",
  };
  if (pickRequest.kind === null)
    return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />;
  const named = known.find((one) => one.value.toLowerCase() === value.toLowerCase());
  return (
    <Stack component="span" gap={2} flex={1} miw={0}>
      <Autocomplete
        {...shared}
        {...offers}
        onChange={(next) => {
          setTyped(offered.has(next) ? "" : next);
          onChange(next);
        }}
      />
      {named && named.name !== named.value && (
        <Text variant="note" truncate title={[named.name, named.note].filter(Boolean).join(" · ")}>
          {named.name}
          {named.note && <Text c="dimmed"> · {named.note}</Text>}
        </Text>
      )}
    </Stack>
  );
};

/** The same for several texts. */
export const PickList = (props: PickProps<readonly string[]>) => {
  const { path, value, onChange } = props;
  const { common, offers, setTyped } = usePicks({ ...props, path: [...path, 0] });
  return (
    <TagsInput
      {...common}
      {...offers}
      value={[...value]}
      splitChars={["\n"]}
      allowDuplicates
      placeholder={value.length === 0 ? "Type and press Enter" : ""}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
};

import { TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { KeyHint } from "../../components/key-hint.tsx";
import { useKeys } from "../../components/use-keys.ts";

/**
 * Filters a list. `/` focuses it and selects its text. Escape clears it; pressed again, it moves to the list, like the
 * down arrow, and like Enter if the place gives it no other action.
 */
export const SearchField = ({
  label,
  placeholder,
  value,
  onChange,
  onEnter,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useKeys("Lists", [{ keys: ["/"], label: "Search the list", run: () => input.current?.select() }]);
  return (
    <TextInput
      ref={input}
      className="search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      spellCheck={false}
      autoComplete="off"
      leftSection={<Icon of={IconSearch} size={14} />}
      rightSection={
        value ? (
          <IconButton
            small
            icon={IconX}
            label="Clear search"
            onClick={() => {
              onChange("");
              input.current?.focus();
            }}
          />
        ) : (
          <KeyHint keys="/" />
        )
      }
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        const field = event.currentTarget;
        const beside = field.closest(".list, .place, .wire-exchanges");
        const row = () => beside?.querySelector<HTMLElement>("[data-key][tabindex='0']");
        if (event.key === "ArrowDown" || (event.key === "Enter" && !onEnter)) {
          event.preventDefault();
          row()?.focus();
        }
        if (event.key === "Enter") onEnter?.();
        if (event.key !== "Escape") return;
        event.preventDefault();
        if (value) return onChange("");
        field.blur();
        if (beside) (row() ?? document.getElementById("place"))?.focus();
      }}
    />
  );
};

import { IconSearch, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Kbd } from "./kbd.tsx";
import { useKeys } from "./use-keys.ts";

/**
 * Filters a list; `/` leads to it and selects what stands in it; Escape clears it, and once more leaves it; the down
 * arrow goes to the list beside it, as Enter does where the place does not say what it opens.
 */
export const SearchField = ({
  label,
  placeholder,
  value,
  onChange,
  onEnter,
  byKey = true,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
  /** Whether `/` leads to it, as to the one of the place in sight. */
  byKey?: boolean;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useKeys("Lists", [{ keys: ["/"], label: "Filter the list", enabled: byKey, run: () => input.current?.select() }]);
  return (
    <div className="row search">
      <Icon of={IconSearch} size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || (event.key === "Enter" && !onEnter)) {
            event.preventDefault();
            const beside = event.currentTarget.closest(".list, .place, .wire-exchanges");
            beside?.querySelector<HTMLElement>("[data-key][tabindex='0']")?.focus();
          }
          if (event.key === "Enter") onEnter?.();
          if (event.key !== "Escape") return;
          event.preventDefault();
          if (value) onChange("");
          else event.currentTarget.blur();
        }}
      />
      {value ? (
        <IconButton
          small
          icon={IconX}
          label="Clear the filter"
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
        />
      ) : (
        byKey && <Kbd keys="/" />
      )}
    </div>
  );
};

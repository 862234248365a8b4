import { Kbd } from "@mantine/core";
import { Fragment } from "react";
import { isMac } from "../lib/desktop-bridge.ts";
import { useWindow } from "./window-context.ts";

const arrows: Record<string, string> = { up: "↑", down: "↓", left: "←", right: "→" };

/** "mod" is ⌘ or Ctrl, "enter" is Enter, "f5" is F5. Single letters are unchanged. */
const word = (key: string) => {
  if (key === "mod") return isMac() ? "⌘" : "Ctrl";
  return arrows[key] ?? (key.length === 1 ? key : key.charAt(0).toUpperCase() + key.slice(1));
};

/**
 * A key hint: "g j" is a sequence, "mod+k" a chord (⌘ on macOS, Ctrl elsewhere). Hidden if it consists of single keys
 * and those are turned off.
 */
export const KeyHint = ({ keys }: { keys: string }) => {
  const charactersAct = useWindow().characterKeys;
  const presses = keys.split(" ");
  if (!charactersAct && presses.every((press) => press.length === 1)) return null;
  return presses
    .flatMap((press) => press.split("+"))
    .map((key, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the hint never changes its order
      <Fragment key={index}>
        {index > 0 && " "}
        <Kbd>{word(key.length === 1 && keys.includes("+") ? key.toUpperCase() : key)}</Kbd>
      </Fragment>
    ));
};

import { Fragment } from "react";
import { isMac } from "../lib/desktop-bridge.ts";

const words: Record<string, string> = {
  enter: "Enter",
  esc: "Esc",
  space: "Space",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  shift: "Shift",
  alt: "Alt",
  tab: "Tab",
  home: "Home",
  end: "End",
};
const word = (key: string) =>
  key === "mod" ? (isMac() ? "⌘" : "Ctrl") : (words[key] ?? (key.length === 1 ? key : key.toUpperCase()));

/** A key hint: "g j" is a sequence, "mod+k" a chord (⌘ on macOS, Ctrl elsewhere). */
export const Kbd = ({ keys }: { keys: string }) => (
  <>
    {keys
      .split(" ")
      .flatMap((press) => press.split("+"))
      .map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the hint never changes its order
        <Fragment key={index}>
          {index > 0 && " "}
          <kbd>{word(key.length === 1 && keys.includes("+") ? key.toUpperCase() : key)}</kbd>
        </Fragment>
      ))}
  </>
);

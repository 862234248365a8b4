import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { shortened } from "../../sandbox/contract/text.ts";
import { Icon } from "./icon.tsx";
import { useWindow } from "./window-context.ts";

/** Copies the text and shows a tick for a moment. */
export const useCopied = (text: string, what: string): readonly [boolean, () => void] => {
  const [copied, setCopied] = useState(false);
  const { copyText } = useWindow();
  const copy = () => void copyText(text, what).then(setCopied);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(setCopied, 1200, false);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, copy];
};

/** An identifier, shortened in the middle; a click copies all of it. `what` names it for screen readers ("job id"). */
export const Id = ({ value, what = "identifier" }: { value: string; what?: string }) => {
  const [copied, copy] = useCopied(value, what);
  const ends = shortened(value);
  return (
    <button type="button" className={`id ${copied ? "copy" : ""}`} title={`${value}: click to copy`} onClick={copy}>
      <span className="sr">
        Copy {what} {value}
      </span>
      <span aria-hidden="true">
        {ends ? (
          <>
            {ends[0]}
            <s>…</s>
            {ends[1]}
          </>
        ) : (
          value
        )}
      </span>
      <Icon of={copied ? IconCheck : IconCopy} size={12} />
    </button>
  );
};

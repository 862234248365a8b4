import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Button, IconButton } from "./button.tsx";
import { useCopied } from "./id.tsx";

/** Copies `text`: a quiet button with a label, otherwise an icon. `what` completes "Copy …". */
export const CopyButton = ({ text, what, label }: { text: string; what: string; label?: string }) => {
  const [copied, copy] = useCopied(text, what);
  const icon = copied ? IconCheck : IconCopy;
  return label ? (
    <Button look="quiet" small icon={icon} onClick={copy}>
      {/* The label keeps its width, so that its neighbours don't move. */}
      <span style={{ display: "inline-grid", justifyItems: "start" }}>
        <span style={{ gridArea: "1 / 1", visibility: copied ? "hidden" : undefined }}>{label}</span>
        {copied && <span style={{ gridArea: "1 / 1" }}>Copied</span>}
      </span>
    </Button>
  ) : (
    <IconButton small icon={icon} label={copied ? "Copied" : `Copy ${what}`} onClick={copy} />
  );
};

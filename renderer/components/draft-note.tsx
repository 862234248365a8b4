import { Text } from "@mantine/core";
import type { ReactNode } from "react";

interface DraftNoteProps {
  readonly of: { readonly isContinued: boolean; readonly startOver: () => void };
  /** Shown instead if no draft was restored. */
  readonly children?: ReactNode;
}

/** Says in a dialog's foot that an unsent draft was restored, and offers to start over. */
export const DraftNote = ({ of: { isContinued, startOver }, children }: DraftNoteProps) => (
  <Text flex={1} miw={0} variant="note">
    {isContinued ? (
      <>
        Draft restored.{" "}
        <button type="button" className="lnk" onClick={startOver}>
          Start over
        </button>
      </>
    ) : (
      children
    )}
  </Text>
);

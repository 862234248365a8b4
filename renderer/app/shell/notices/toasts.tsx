import { IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { plural } from "../../../lib/formatting.ts";
import { Boundary } from "../../boundary.tsx";
import { type NoticeEntry, useNotices } from "../../notices-store.ts";
import { NoticeBody } from "./notice-body.tsx";

/** More lie under these and are in the list. */
const MOST_SHOWN = 3;
const STAYS_MS = 6_000;

const Toast = ({ notice, held }: { notice: NoticeEntry; held: boolean }) => {
  const close = useNotices((state) => state.close);
  const stays = notice.tone === "bad" || held;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once more, it stays as long again
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => close(notice.id, false), STAYS_MS);
    return () => clearTimeout(timer);
  }, [stays, close, notice.id, notice.times]);
  return (
    <li className="toast">
      <NoticeBody notice={notice} />
      <IconButton small icon={IconX} label="Close this notice" onClick={() => close(notice.id, true)} />
    </li>
  );
};

/** The notices that lie over the page, newest last. What goes by itself waits while it is looked at. */
export const Toasts = () => {
  const entries = useNotices((state) => state.entries);
  const listOpen = useNotices((state) => state.listOpen);
  const showList = useNotices((state) => state.showList);
  const [held, setHeld] = useState(false);
  const open = entries.filter((entry) => entry.open);
  if (open.length === 0 || listOpen) return null;
  const more = open.length - MOST_SHOWN;
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: it is only told whether somebody looks at it
    <section
      className="toasts"
      aria-label="Newest notices"
      // One that comes up under a pointer at rest is not looked at for that.
      onPointerMove={({ movementX, movementY }) => setHeld((before) => before || movementX !== 0 || movementY !== 0)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {more > 0 && (
        <div className="toast-more">
          <Button look="quiet" small onClick={() => showList(true)}>
            {plural(more, "older notice")}
          </Button>
        </div>
      )}
      <Boundary title="The notices">
        <ul>
          {open
            .slice(0, MOST_SHOWN)
            .toReversed()
            .map((notice) => (
              <Toast key={notice.id} notice={notice} held={held} />
            ))}
        </ul>
      </Boundary>
    </section>
  );
};

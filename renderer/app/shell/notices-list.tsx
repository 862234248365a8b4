import { IconAlertTriangle, IconBell, IconCircleCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { NothingYet } from "../../components/empty.tsx";
import { Icon, type IconOf } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import type { Tone } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { useRestoreWorld } from "../../domain/world/mutations.ts";
import { handsFocusOn } from "../../lib/focus.ts";
import { plural } from "../../lib/formatting.ts";
import { type NoticeEntry, useNotices } from "../notices-store.ts";

const icons: Record<Tone, readonly [IconOf, string]> = {
  ok: [IconCircleCheck, "Done"],
  off: [IconInfoCircle, "Information"],
  wait: [IconInfoCircle, "Information"],
  bad: [IconAlertTriangle, "Failed"],
};

const Undo = ({ id, undo }: { id: number; undo: NonNullable<NoticeEntry["undo"]> }) => {
  const restore = useRestoreWorld();
  const settle = useNotices((state) => state.settle);
  const done = () => settle(id);
  return (
    <button
      ref={handsFocusOn}
      type="button"
      className="lnk"
      aria-busy={restore.isPending}
      onClick={() => (typeof undo === "function" ? void undo().then(done) : restore.mutate(undo, { onSuccess: done }))}
    >
      Undo
    </button>
  );
};

/** What a notice says, as a toast and in the list. */
const NoticeBody = ({ notice }: { notice: NoticeEntry }) => {
  const [icon, word] = icons[notice.tone];
  return (
    <>
      <span className={`notice-icon ${notice.tone}`}>
        <Icon of={icon} />
        <span className="sr">{word}: </span>
      </span>
      <span className="stack grow notice-text">
        <span className="w5">
          {notice.title}
          {notice.times > 1 && <span className="t3"> ×{notice.times}</span>}
        </span>
        {(notice.detail || notice.link || notice.undo) && (
          <span className="t12 t2">
            {notice.detail} {notice.link && <TextLink href={notice.link.href}>{notice.link.label}</TextLink>}
            {notice.undo && <Undo id={notice.id} undo={notice.undo} />}
          </span>
        )}
      </span>
    </>
  );
};

/** What was told in this window, to be read again. */
export const NoticesList = () => {
  const entries = useNotices((state) => state.entries);
  return (
    <>
      <div className="row pop-head">
        <h2 className="h2">Notices</h2>
        <span className="t12 t3">of this window</span>
        <span className="grow" />
        {entries.length > 0 && (
          <Button look="quiet" small onClick={() => useNotices.setState({ entries: [] })}>
            Clear all
          </Button>
        )}
      </div>
      {entries.length === 0 ? (
        <NothingYet icon={IconBell} title="No notices yet">
          Results and errors of your actions appear here.
        </NothingYet>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <ul className="notice-list" aria-label="Notices, newest first" tabIndex={0} data-autofocus={true}>
          {entries.map((notice) => (
            <li key={notice.id} className="row">
              <NoticeBody notice={notice} />
              <span className="t11 t3 nw">
                <Time at={new Date(notice.at).toISOString()} on="real" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

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
    <li ref={handsFocusOn} className="row pop toast">
      <NoticeBody notice={notice} />
      <IconButton small icon={IconX} label="Close notice" onClick={() => close(notice.id, true)} />
    </li>
  );
};

/** The notices that lie over the page, newest last. What goes by itself waits while it is looked at. */
export const ToastList = () => {
  const entries = useNotices((state) => state.entries);
  const showList = useNotices((state) => state.showList);
  const [held, setHeld] = useState(false);
  const open = entries.filter((entry) => entry.open);
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
      <ul className="stack">
        {open
          .slice(0, MOST_SHOWN)
          .toReversed()
          .map((notice) => (
            <Toast key={notice.id} notice={notice} held={held} />
          ))}
      </ul>
    </section>
  );
};

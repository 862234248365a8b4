import { Box, Group, Stack, Text } from "@mantine/core";
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
      <Stack component="span" flex={1} miw={0} className="notice-text">
        <Text fw={500}>
          {notice.title}
          {notice.times > 1 && <Text c="dimmed"> ×{notice.times}</Text>}
        </Text>
        {(notice.detail || notice.link || notice.undo) && (
          <Text variant="note">
            {notice.detail} {notice.link && <TextLink href={notice.link.href}>{notice.link.label}</TextLink>}{" "}
            {notice.undo && <Undo id={notice.id} undo={notice.undo} />}
          </Text>
        )}
      </Stack>
    </>
  );
};

/** What was told in this window, to be read again. */
export const NoticesList = () => {
  const entries = useNotices((state) => state.entries);
  return (
    <>
      <Group className="pop-head">
        <h2 className="h2">Notices</h2>
        <Text variant="aside">of this window</Text>
        <Box component="span" flex={1} />
        {entries.length > 0 && (
          <Button look="quiet" small onClick={() => useNotices.setState({ entries: [] })}>
            Clear all
          </Button>
        )}
      </Group>
      {entries.length === 0 ? (
        <NothingYet icon={IconBell} title="No notices yet">
          Results and errors of your actions appear here.
        </NothingYet>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <ul className="notice-list" aria-label="Notices, newest first" tabIndex={0} data-autofocus={true}>
          {entries.map((notice) => (
            <Group key={notice.id} component="li">
              <NoticeBody notice={notice} />
              <Text size="xs" c="dimmed" textWrap="nowrap">
                <Time at={new Date(notice.at).toISOString()} on="real" />
              </Text>
            </Group>
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
    <Group ref={handsFocusOn} component="li" className="pop toast">
      <NoticeBody notice={notice} />
      <IconButton small icon={IconX} label="Close notice" onClick={() => close(notice.id, true)} />
    </Group>
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
      <Stack component="ul">
        {open
          .slice(0, MOST_SHOWN)
          .toReversed()
          .map((notice) => (
            <Toast key={notice.id} notice={notice} held={held} />
          ))}
      </Stack>
    </section>
  );
};

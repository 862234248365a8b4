import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import type { Tone } from "../../../components/state.tsx";
import { type NoticeEntry, useNotices } from "../../notices-store.ts";
import { useRestoreWorld } from "../worlds/mutations.ts";

const icons: Record<Tone, readonly [IconOf, string]> = {
  ok: [IconCircleCheck, "Done"],
  off: [IconInfoCircle, "To know"],
  wait: [IconInfoCircle, "To know"],
  bad: [IconAlertTriangle, "Failed"],
};

const Undo = ({ notice, world, checkpoint }: { notice: NoticeEntry; world: string; checkpoint: string }) => {
  const restore = useRestoreWorld();
  const settle = useNotices((state) => state.settle);
  return (
    <button
      type="button"
      className="lnk"
      aria-busy={restore.isPending}
      onClick={() => restore.mutate({ world, checkpoint }, { onSuccess: () => settle(notice.id) })}
    >
      Undo
    </button>
  );
};

/** What a notice says, as a toast and in the list. */
export const NoticeBody = ({ notice }: { notice: NoticeEntry }) => {
  const [icon, word] = icons[notice.tone];
  return (
    <>
      <span className={`notice-icon ${notice.tone}`}>
        <Icon of={icon} />
        <span className="sr">{word}: </span>
      </span>
      <span className="notice-text">
        <span className="w5">
          {notice.title}
          {notice.times > 1 && <span className="t3"> ×{notice.times}</span>}
        </span>
        {(notice.detail !== null || notice.link !== null || notice.undo) && (
          <span className="t12 t2">
            {notice.detail} {notice.link && <TextLink href={notice.link.href}>{notice.link.label}</TextLink>}
            {notice.undo && <Undo notice={notice} {...notice.undo} />}
          </span>
        )}
      </span>
    </>
  );
};

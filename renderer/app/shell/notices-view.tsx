import { IconBell } from "@tabler/icons-react";
import { IconButton } from "../../components/button.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { formatCount } from "../../lib/formatting.ts";
import { Boundary } from "../boundary.tsx";
import { useNotices } from "../notices-store.ts";
import { BarPopover } from "./bar-popover.tsx";
import { NoticesList, ToastList } from "./notices-list.tsx";

/** The bell: what was told in this window, to be read again. */
export const NoticesButton = () => {
  const { entries, listOpen, showList } = useNotices();
  const unread = entries.filter(({ read }) => !read).length;
  useKeys("Everywhere", [{ keys: ["g n"], label: "Notices", run: () => showList(true) }]);
  return (
    <BarPopover
      label="Notices"
      width={400}
      align="end"
      open={listOpen}
      onChange={showList}
      button={
        <span className="bell">
          <IconButton
            icon={IconBell}
            label={unread > 0 ? `Notices, ${unread} unread` : "Notices"}
            aria-haspopup="dialog"
            aria-expanded={listOpen}
            onClick={() => showList(!listOpen)}
          />
          {unread > 0 && (
            <span className="bell-count" aria-hidden="true">
              {unread > 99 ? "99+" : formatCount(unread)}
            </span>
          )}
        </span>
      }
    >
      <NoticesList />
    </BarPopover>
  );
};

/** The notices that lie over the page, unless all are being read. */
export const Toasts = () => {
  const shown = useNotices(({ entries, listOpen }) => !listOpen && entries.some(({ open }) => open));
  return shown ? (
    <Boundary title="The notices">
      <ToastList />
    </Boundary>
  ) : null;
};

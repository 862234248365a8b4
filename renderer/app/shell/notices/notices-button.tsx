import { IconBell } from "@tabler/icons-react";
import { Button, IconButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { formatCount } from "../../../lib/formatting.ts";
import { useNotices } from "../../notices-store.ts";
import { BarPopover } from "../bar-popover.tsx";
import { NoticeBody } from "./notice-body.tsx";

const NoticesList = () => {
  const entries = useNotices((state) => state.entries);
  const forgetAll = useNotices((state) => state.forgetAll);
  return (
    <>
      <div className="pop-head">
        <h2 className="h2">Notices</h2>
        <span className="t12 t3">of this window</span>
        <span className="grow" />
        {entries.length > 0 && (
          <Button look="quiet" small onClick={forgetAll}>
            Clear all
          </Button>
        )}
      </div>
      {entries.length === 0 ? (
        <NothingYet icon={IconBell} title="Nothing was told yet">
          What a click did or could not do is kept here, to be read again.
        </NothingYet>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <ul className="notice-list" aria-label="Notices, newest first" tabIndex={0} data-autofocus={true}>
          {entries.map((notice) => (
            <li key={notice.id}>
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

import { Text } from "@mantine/core";
import { notifications, notificationsStore } from "@mantine/notifications";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { currentWorld } from "../../lib/session.ts";
import { namingWorld } from "../../lib/world-address.ts";

/** What is told. */
export interface Notice {
  readonly title: string;
  readonly detail?: string | undefined;
  /** Where it leads, in the world it is about: it may be read in another. */
  readonly link?:
    | { readonly href: string; readonly label: string; readonly world: string; readonly onFollow?: () => void }
    | undefined;
  /** The world it happened in, and where it is seen there: told where the window has gone on to another world meanwhile. */
  readonly from?: { readonly href: string; readonly world: string } | undefined;
  /** Until it is closed: it says what should be read. */
  readonly stays?: boolean;
  /** Takes back what was done, and says itself if it cannot. */
  readonly undo?: (() => Promise<unknown>) | null;
}

const STAYS_MS = 6_000;
/** How long a notice with Undo stays open, in milliseconds. */
const CAN_BE_UNDONE_MS = 20_000;
const kinds = {
  ok: { icon: IconCircleCheck, word: "Done", autoClose: STAYS_MS },
  off: { icon: IconInfoCircle, word: "Information", autoClose: STAYS_MS },
  bad: { icon: IconAlertTriangle, word: "Failed", autoClose: false },
} as const;

const Undo = ({ undo, onDone }: { undo: () => Promise<unknown>; onDone: () => void }) => {
  const undoing = useMutation({ mutationFn: undo, onSuccess: onDone });
  return (
    <Button small look="quiet" busy={undoing.isPending} onClick={() => undoing.mutate()}>
      Undo
    </Button>
  );
};

/** Whether it leads to what is open already, on whichever tab of it. */
const isOpen = ({ href, world }: NonNullable<Notice["link"]>): boolean =>
  world === currentWorld() && `${window.location.pathname}/`.startsWith(`${href}/`);

const tell = (tone: keyof typeof kinds, { title, detail, link: given, from, stays, undo }: Notice) => {
  const elsewhere = from && from.world !== currentWorld() ? from : undefined;
  const leads = given ?? (elsewhere && { ...elsewhere, label: "Open there" });
  const link = leads && !isOpen(leads) ? leads : undefined;
  const { icon, word, autoClose } = kinds[tone];
  const href = link && namingWorld(link.href, link.world);
  const words = `${[tone, title, detail, href].join(" ")} `;
  const { notifications: shown, queue } = notificationsStore.getState();
  // The same once more takes the place of what it repeats.
  for (const { id = "" } of [...shown, ...queue]) if (id.startsWith(words)) notifications.hide(id);
  const at = performance.now();
  const notice = {
    id: words + at,
    // The newest on top; those that find no room wait below it.
    priority: at,
    title,
    color: `var(--${tone})`,
    autoClose: !stays && (undo ? CAN_BE_UNDONE_MS : autoClose),
    icon: (
      <>
        <Icon of={icon} />
        <span className="sr">{word}: </span>
      </>
    ),
    message: (
      <Text component="p">
        {detail} {elsewhere && `In world ${elsewhere.world}. `}
        {link && href && (
          <TextLink href={href} onFollow={link.onFollow}>
            {link.label}
          </TextLink>
        )}{" "}
        {undo && <Undo undo={undo} onDone={() => notifications.hide(notice.id)} />}
      </Text>
    ),
    // Who reaches it by keyboard has the time they need.
    onFocus: () => void notifications.update({ ...notice, autoClose: false }),
  };
  notifications.show(notice);
};

/**
 * Toasts, read out as they come. A failure stays until it is closed; where there is a place on the screen for it, show a
 * Refusal there instead.
 */
export const notify = {
  done: (notice: Notice) => tell("ok", notice),
  tell: (notice: Notice) => tell("off", notice),
  /** @param what was to be done: "Replay call" */
  failed: (what: string, error: unknown, link?: Notice["link"]) => {
    const title = `Couldn’t ${what.charAt(0).toLowerCase()}${what.slice(1)}`;
    tell("bad", {
      title: error instanceof ServiceFailure && error.status > 0 ? `${title}: ${error.status} ${error.code}` : title,
      detail: error instanceof Error ? error.message : String(error),
      link,
      from: link,
    });
  },
};

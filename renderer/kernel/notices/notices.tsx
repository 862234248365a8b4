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

export interface Notice {
  readonly title: string;
  readonly detail?: string | undefined;
  /** A link within the notice's world, because another world may be open by then. */
  readonly link?:
    | { readonly href: string; readonly label: string; readonly world: string; readonly onFollow?: () => void }
    | undefined;
  /** The address and world of the event; shown if the window shows another world by then. */
  readonly from?: { readonly href: string; readonly world: string } | undefined;
  /** Stays open until closed. */
  readonly stays?: boolean;
  /** A button for an action on the reported result, for example Undo. The action reports its own failure. */
  readonly offer?: { readonly label: string; readonly act: () => Promise<unknown> } | null;
}

const STAYS_MS = 6_000;
/** How long a notice with a button stays open, in milliseconds. */
const OFFERS_MS = 20_000;
const kinds = {
  ok: { icon: IconCircleCheck, word: "Done", autoClose: STAYS_MS },
  off: { icon: IconInfoCircle, word: "Information", autoClose: STAYS_MS },
  bad: { icon: IconAlertTriangle, word: "Failed", autoClose: false },
} as const;

const Offer = ({ offer: { label, act }, onDone }: { offer: NonNullable<Notice["offer"]>; onDone: () => void }) => {
  const acting = useMutation({ mutationFn: act, onSuccess: onDone });
  return (
    <Button small look="quiet" busy={acting.isPending} onClick={() => acting.mutate()}>
      {label}
    </Button>
  );
};

/** Returns whether the link leads to the open item, on any of its tabs. */
const isOpen = ({ href, world }: NonNullable<Notice["link"]>): boolean =>
  world === currentWorld() && `${window.location.pathname}/`.startsWith(`${href}/`);

const tell = (tone: keyof typeof kinds, { title, detail, link: given, from, stays, offer }: Notice) => {
  const elsewhere = from && from.world !== currentWorld() ? from : undefined;
  const leads = given ?? (elsewhere && { ...elsewhere, label: "Open there" });
  const link = leads && !isOpen(leads) ? leads : undefined;
  const { icon, word, autoClose } = kinds[tone];
  const href = link && namingWorld(link.href, link.world);
  const words = `${[tone, title, detail, href].join(" ")} `;
  const { notifications: shown, queue } = notificationsStore.getState();
  // A repeated notice replaces the earlier one.
  for (const { id = "" } of [...shown, ...queue]) if (id.startsWith(words)) notifications.hide(id);
  const at = performance.now();
  const notice = {
    id: words + at,
    // The newest is on top; notices that don't fit wait.
    priority: at,
    title,
    color: `var(--${tone})`,
    autoClose: !stays && (offer ? OFFERS_MS : autoClose),
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
        {offer && <Offer offer={offer} onDone={() => notifications.hide(notice.id)} />}
      </Text>
    ),
    // Keyboard users get the time they need.
    onFocus: () => void notifications.update({ ...notice, autoClose: false }),
  };
  notifications.show(notice);
};

/**
 * Toasts, read out by screen readers. A failure stays until it is closed; if its cause has a place on the screen, show
 * a Refusal there instead.
 */
export const notify = {
  /** Closes all but failures, which stay until somebody has read them. */
  clear: () => {
    const { notifications: shown, queue } = notificationsStore.getState();
    for (const { id = "", color } of [...shown, ...queue]) if (color !== "var(--bad)") notifications.hide(id);
  },
  done: (notice: Notice) => tell("ok", notice),
  tell: (notice: Notice) => tell("off", notice),
  /** @param what the action: "Replay call" */
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

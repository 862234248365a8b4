import { notifications } from "@mantine/notifications";
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon, type IconOf } from "../components/icon.tsx";
import { TextLink } from "../components/link.tsx";
import type { Tone } from "../components/state.tsx";
import { announce } from "../lib/announce.ts";
import { ServiceFailure } from "../lib/service-failure.ts";

interface Notice {
  readonly title: string;
  readonly detail?: ReactNode;
  readonly link?: { readonly href: string; readonly label: string };
}

const show = (tone: Tone, icon: IconOf, { title, detail, link }: Notice, autoClose: number | false) => {
  announce(title);
  notifications.show({
    title,
    className: tone,
    icon: <Icon of={icon} />,
    autoClose,
    withBorder: false,
    closeButtonProps: { "aria-label": "Close this notice" },
    message: (
      <>
        {detail}
        {detail && link ? " " : null}
        {link && <TextLink href={link.href}>{link.label}</TextLink>}
      </>
    ),
  });
};

/** Toasts. A failure stays until it is closed; where there is a place on the screen for it, show a Refusal there instead. */
export const notify = {
  done: (notice: Notice) => show("ok", IconCircleCheck, notice, 5000),
  tell: (notice: Notice) => show("off", IconInfoCircle, notice, 6000),
  failed: (what: string, error: unknown, link?: Notice["link"]) =>
    show(
      "bad",
      IconAlertTriangle,
      {
        title: error instanceof ServiceFailure && error.status > 0 ? `${what}: ${error.status} ${error.code}` : what,
        detail: error instanceof Error ? error.message : String(error),
        ...(link ? { link } : {}),
      },
      false,
    ),
};

import type { Tone } from "../components/state.tsx";
import { announce } from "../lib/announce.ts";
import { ServiceFailure } from "../lib/service-failure.ts";
import { currentWorld } from "../lib/session.ts";
import { namingWorld } from "../lib/world-address.ts";
import { type NewNotice, useNotices } from "./notices-store.ts";

interface Notice {
  readonly title: string;
  readonly detail?: string;
  readonly link?: { readonly href: string; readonly label: string };
  readonly undo?: NewNotice["undo"];
}

const tell = (tone: Tone, { title, detail, link, undo }: Notice) => {
  announce(tone === "bad" && detail ? `${title}. ${detail}` : title);
  useNotices.getState().tell({
    at: Date.now(),
    tone,
    title,
    detail: detail ?? null,
    // It leads into the world it was told in, also when it is read in another.
    link: link ? { ...link, href: namingWorld(link.href, currentWorld()) } : null,
    undo: undo ?? null,
  });
};

/**
 * Toasts, which can be read again in the list of notices. A failure stays until it is closed; where there is a place on
 * the screen for it, show a Refusal there instead.
 */
export const notify = {
  done: (notice: Notice) => tell("ok", notice),
  tell: (notice: Notice) => tell("off", notice),
  failed: (what: string, error: unknown, link?: Notice["link"]) =>
    tell("bad", {
      title: error instanceof ServiceFailure && error.status > 0 ? `${what}: ${error.status} ${error.code}` : what,
      detail: error instanceof Error ? error.message : String(error),
      ...(link ? { link } : {}),
    }),
};

import type { Tone } from "../components/state.tsx";
import { announce } from "../lib/announce.ts";
import { ServiceFailure } from "../lib/service-failure.ts";
import { namingWorld } from "../lib/world-address.ts";
import { type Notice, useNotices } from "./notices-store.ts";

export type { Notice };

const tell = (tone: Tone, { link, ...notice }: Notice) => {
  const { title, detail } = notice;
  announce(tone === "bad" && detail ? `${title}. ${detail}` : title);
  const led = link && { label: link.label, href: namingWorld(link.href, link.world) };
  useNotices.getState().tell({ ...notice, link: led, at: Date.now(), tone });
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
      link,
    }),
};

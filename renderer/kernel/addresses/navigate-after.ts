import { useLocation } from "wouter";
import { currentWorld } from "../../lib/session.ts";
import { type Notice, notify } from "../notices/notices.tsx";

/** Where the person is: as the `onMutate` of a mutation, it is known when the answer is there. */
export const currentLocation = (): string => `${currentWorld()} ${window.location.pathname}`;

/**
 * Goes where an answer leads, and says so, if the person still is where they asked (`currentLocation` of then). Who left is left
 * alone: then the notice has the link, into the world of the answer.
 */
export const useNavigateAfter = () => {
  const [, navigate] = useLocation();
  return (askedAt: string | undefined, to: NonNullable<Notice["link"]>, notice: Notice): void => {
    const isThere = currentLocation() === askedAt;
    if (isThere) {
      to.onFollow?.();
      navigate(to.href);
    }
    notify.done(isThere ? notice : { from: to, ...notice, link: to });
  };
};

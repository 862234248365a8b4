import { useLocation } from "wouter";
import { currentWorld } from "../../lib/session.ts";
import { type Notice, notify } from "../notices/notices.tsx";

/** Returns the current location. As the `onMutate` of a mutation, it records where the user was when it started. */
export const currentLocation = (): string => `${currentWorld()} ${window.location.pathname}`;

/**
 * Navigates to a result and shows a notice, if the user is still at the location where they started (`currentLocation`
 * of that time). Otherwise the notice links to the result, in its world.
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

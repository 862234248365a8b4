import { create } from "zustand";

/** Time of the service's last response, in milliseconds of real time. */
const useReach = create(() => ({ answeredAt: 0 }));

/** Records that the service responded, whatever the status. */
export const noteResponse = (): void => useReach.setState({ answeredAt: Date.now() });

/** Returns whether the service has responded since a failure at this time. */
export const useAnsweredSince = (at: number): boolean => useReach(({ answeredAt }) => answeredAt > at);

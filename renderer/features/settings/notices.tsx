import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../../app/notices.tsx";
import { useNotifies } from "../../app/notifies-store.ts";
import { SwitchField } from "../../components/choices.tsx";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { Setting } from "./setting.tsx";

const KEY = ["desktop", "notify-of-failures"] as const;

/** The app shows them by itself, for the worlds of its windows, also while no window is in sight. */
const OfTheApp = () => {
  const client = useQueryClient();
  const bridge = desktopBridge();
  const { data: on = false } = useQuery({
    queryKey: KEY,
    queryFn: () => bridge?.notifyOfFailures(null) ?? false,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const set = async (wanted: boolean) => {
    try {
      client.setQueryData(KEY, (await bridge?.notifyOfFailures(wanted)) ?? false);
    } catch (error) {
      notify.failed("Set the notices", error);
    }
  };
  return <SwitchField label="Tell me of failed deliveries" checked={on} onChange={(wanted) => void set(wanted)} />;
};

const REFUSED = "The browser shows no notices of this page. Allow them in its settings for this address first.";

/** A browser asks once, and only after a click. */
const OfThePage = () => {
  const { on, choose } = useNotifies();
  const [refused, setRefused] = useState(false);
  const set = async (wanted: boolean) => {
    const allowed = !wanted || ("Notification" in window && (await Notification.requestPermission()) === "granted");
    setRefused(!allowed);
    choose(wanted && allowed);
  };
  return (
    <>
      <SwitchField label="Tell me of failed deliveries" checked={on} onChange={(wanted) => void set(wanted)} />
      {refused && (
        <p role="alert" className="t12">
          {REFUSED}
        </p>
      )}
    </>
  );
};

/** Whether deliveries that are given up are told outside the window. */
export const Notices = ({ shown }: { shown: string | undefined }) => {
  const isApp = desktopBridge() !== null;
  return (
    <Setting
      id="notices"
      shown={shown}
      holds="at once"
      about={
        isApp
          ? "A notice of the system when a delivery of a world in a window is given up, at most one a minute. The File menu has the same switch."
          : "A notice of the browser when a delivery of the world in this window is given up. The browser asks whether it may; only open windows notice anything."
      }
    >
      {isApp ? <OfTheApp /> : <OfThePage />}
    </Setting>
  );
};

import { Switch, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { notify } from "../../app/notices.tsx";
import { useNotifies } from "../../app/notifies-store.ts";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { Setting } from "./setting.tsx";

const KEY = ["desktop", "notify-of-failures"] as const;

const Toggle = ({ on, onSet }: { on: boolean; onSet: (wanted: boolean) => void }) => (
  <Switch
    label="Notify me about failed deliveries"
    checked={on}
    onChange={(event) => onSet(event.currentTarget.checked)}
  />
);

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
      notify.failed("Change notifications", error);
    }
  };
  return <Toggle on={on} onSet={(wanted) => void set(wanted)} />;
};

const REFUSED = "Your browser blocks notifications from this page. Allow them in the browser’s site settings first.";

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
      <Toggle on={on} onSet={(wanted) => void set(wanted)} />
      {refused && (
        <Text role="alert" component="p" size="sm">
          {REFUSED}
        </Text>
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
      holds="Applies immediately"
      about={
        isApp
          ? "Shows a system notification when a delivery of an open world fails for good, at most once a minute. You can also change this in the File menu."
          : "Shows a browser notification when a delivery of the open world fails for good. Your browser asks for permission first. This only works while a window is open."
      }
    >
      {isApp ? <OfTheApp /> : <OfThePage />}
    </Setting>
  );
};

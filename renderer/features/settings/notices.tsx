import { Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { notify } from "../../kernel/notices/notices.tsx";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { Setting } from "./setting.tsx";

const KEY = ["desktop", "notify-of-failures"] as const;

/**
 * Turns the desktop app's notifications of failed deliveries on or off, for its windows' worlds; hidden in a browser.
 */
export const Notices = ({ shown }: { shown: string | undefined }) => {
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
  if (bridge === null) return null;
  return (
    <Setting
      id="notices"
      shown={shown}
      holds="Applies immediately"
      about="Shows a system notification when a delivery of an open world fails for good, at most once a minute. You can also change this in the File menu."
    >
      <Switch
        label="Notify me about failed deliveries"
        checked={on}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
    </Setting>
  );
};

import { Group, Radio, Switch } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { KeyHint } from "../../components/key-hint.tsx";
import type { SettingId } from "../../kernel/addresses/settings-list.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useChooseScheme } from "../../kernel/theme/scheme.ts";
import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { Setting } from "./setting.tsx";

interface OneOfProps<V extends string> {
  readonly id: SettingId;
  /** Accessible name of the choices. */
  readonly title: string;
  readonly about: ReactNode;
  readonly options: Readonly<Record<V, string>>;
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** A setting of this explorer with a few choices. */
const OneOf = <V extends string>({ id, title, about, options, value, onChange }: OneOfProps<V>) => (
  <Setting id={id} appliesWhen="Applies immediately" about={about}>
    <Radio.Group label={<span className="sr">{title}</span>} name={id} value={value} onChange={onChange}>
      <Group gap="md" wrap="wrap">
        {Object.entries<string>(options).map(([one, label]) => (
          <Radio key={one} value={one} label={label} />
        ))}
      </Group>
    </Radio.Group>
  </Setting>
);

export const ThemeSetting = () => {
  const { colorScheme, choose } = useChooseScheme();
  return (
    <OneOf
      id="theme"
      title="Theme"
      about="Choose light or dark, or follow the system."
      options={{ light: "Light", dark: "Dark", auto: "System" }}
      value={colorScheme}
      onChange={choose}
    />
  );
};

/** WCAG 2.1.4: people who dictate or press keys by accident can turn off single-character shortcuts. */
export const SingleKeys = () => {
  const { characterKeys, setCharacterKeys } = useUi();
  return (
    <OneOf
      id="keys"
      title="Single-key shortcuts"
      about={
        <>
          Letters, digits and symbols act as shortcuts, such as <kbd>g</kbd> <kbd>j</kbd> and <kbd>?</kbd>. Shortcuts
          with <KeyHint keys="mod" />, arrows, Enter and Escape always work.
        </>
      }
      options={{ on: "On", off: "Off" }}
      value={characterKeys ? "on" : "off"}
      onChange={(value) => setCharacterKeys(value === "on")}
    />
  );
};

export const DensitySetting = () => {
  const { density, chooseDensity } = useUi();
  return (
    <OneOf
      id="density"
      title="Density"
      about="The row height of lists and tables. Compact shows about 20% more rows."
      options={{ comfortable: "Comfortable", compact: "Compact" }}
      value={density}
      onChange={chooseDensity}
    />
  );
};

const KEY = ["desktop", "notify-of-failures"] as const;

/**
 * Turns the desktop app's notifications of failed deliveries on or off, for its windows' worlds; hidden in a browser.
 */
export const Notices = () => {
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
      appliesWhen="Applies immediately"
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

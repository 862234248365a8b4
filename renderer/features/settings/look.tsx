import { Group, Radio } from "@mantine/core";
import { KeyHint } from "../../components/key-hint.tsx";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useChooseScheme } from "../../kernel/theme/scheme.ts";
import { Setting } from "./setting.tsx";

interface Shown {
  readonly shown: string | undefined;
}

export const Theme = ({ shown }: Shown) => {
  const { colorScheme, choose } = useChooseScheme();
  return (
    <Setting id="theme" shown={shown} holds="Applies immediately" about="Choose light or dark, or follow the system.">
      <Radio.Group label={<span className="sr">Theme</span>} name="theme" value={colorScheme} onChange={choose}>
        <Group gap="md" wrap="wrap">
          <Radio value="light" label="Light" />
          <Radio value="dark" label="Dark" />
          <Radio value="auto" label="System" />
        </Group>
      </Radio.Group>
    </Setting>
  );
};

/** WCAG 2.1.4: people who dictate or press keys by accident can turn off single-character shortcuts. */
export const SingleKeys = ({ shown }: Shown) => {
  const { characterKeys, setCharacterKeys } = useUi();
  return (
    <Setting
      id="keys"
      shown={shown}
      holds="Applies immediately"
      about={
        <>
          Letters, digits and symbols act as shortcuts, such as <kbd>g</kbd> <kbd>j</kbd> and <kbd>?</kbd>. Shortcuts
          with <KeyHint keys="mod" />, arrows, Enter and Escape always work.
        </>
      }
    >
      <Radio.Group
        label={<span className="sr">Single-key shortcuts</span>}
        name="keys"
        value={characterKeys ? "on" : "off"}
        onChange={(value) => setCharacterKeys(value === "on")}
      >
        <Group gap="md" wrap="wrap">
          <Radio value="on" label="On" />
          <Radio value="off" label="Off" />
        </Group>
      </Radio.Group>
    </Setting>
  );
};

export const Density = ({ shown }: Shown) => {
  const { density, chooseDensity } = useUi();
  return (
    <Setting
      id="density"
      shown={shown}
      holds="Applies immediately"
      about="The row height of lists and tables. Compact shows about 20% more rows."
    >
      <Radio.Group label={<span className="sr">Density</span>} name="density" value={density} onChange={chooseDensity}>
        <Group gap="md" wrap="wrap">
          <Radio value="comfortable" label="Comfortable" />
          <Radio value="compact" label="Compact" />
        </Group>
      </Radio.Group>
    </Setting>
  );
};

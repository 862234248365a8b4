import { useChooseScheme } from "../../app/theme/scheme.ts";
import { useUi } from "../../app/ui-store.ts";
import { RadioField } from "../../components/choices.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { Setting } from "./setting.tsx";

interface Shown {
  readonly shown: string | undefined;
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;

export const Theme = ({ shown }: Shown) => {
  const { colorScheme, choose } = useChooseScheme();
  return (
    <Setting id="theme" shown={shown} holds="Applies immediately" about="Choose light or dark, or follow the system.">
      <RadioField
        label={<span className="sr">Theme</span>}
        name="theme"
        inline
        options={schemes}
        value={colorScheme}
        onChange={choose}
      />
    </Setting>
  );
};

const onOrOff = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

/** WCAG 2.1.4: who dictates, or presses keys by accident, can turn off those that type a character. */
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
          with <Kbd keys="mod" />, arrows, Enter and Escape always work.
        </>
      }
    >
      <RadioField
        label={<span className="sr">Single-key shortcuts</span>}
        name="keys"
        inline
        options={onOrOff}
        value={characterKeys ? "on" : "off"}
        onChange={(value) => setCharacterKeys(value === "on")}
      />
    </Setting>
  );
};

const densities = [
  { value: "comfortable", label: "Comfortable" },
  { value: "compact", label: "Compact" },
] as const;

export const Density = ({ shown }: Shown) => {
  const { density, chooseDensity } = useUi();
  return (
    <Setting
      id="density"
      shown={shown}
      holds="Applies immediately"
      about="The row height of lists and tables. Compact shows about 20% more rows."
    >
      <RadioField
        label={<span className="sr">Density</span>}
        name="density"
        inline
        options={densities}
        value={density}
        onChange={chooseDensity}
      />
    </Setting>
  );
};

import { useChooseScheme } from "../../app/theme/scheme.ts";
import { useUi } from "../../app/ui-store.ts";
import { RadioField } from "../../components/choices.tsx";
import { Setting } from "./setting.tsx";

interface Shown {
  readonly shown: string | undefined;
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "As the system" },
] as const;

export const Theme = ({ shown }: Shown) => {
  const { colorScheme, choose } = useChooseScheme();
  return (
    <Setting id="theme" shown={shown} holds="at once" about="Light or dark, or whatever the system is set to.">
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
      holds="at once"
      about="How close the rows of lists and tables stand. Compact shows about a fifth more of them."
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

import {
  IconBell,
  IconBolt,
  IconDeviceDesktop,
  IconHelp,
  IconLink,
  IconMoon,
  IconSun,
  IconTerminal2,
} from "@tabler/icons-react";
import { Kbd } from "../../../components/kbd.tsx";
import { keyGroups } from "../../../lib/key-registry.ts";
import { useNotices } from "../../notices-store.ts";
import { useChooseScheme } from "../../theme/scheme.ts";
import { useUi } from "../../ui-store.ts";
import { copyLink } from "../copy-link.ts";
import type { KnownEntry } from "./entry.ts";

/** What can be done anywhere. */
export const useActions = (): KnownEntry[] => {
  const { choose } = useChooseScheme();
  const toggleWire = useUi((state) => state.toggleWire);
  const showKeys = useUi((state) => state.showKeys);
  const showNotices = useNotices((state) => state.showList);
  return [
    {
      id: "wire",
      icon: IconTerminal2,
      label: "Show or hide the wire",
      words: "drawer exchanges requests",
      aside: <Kbd keys="~" />,
      run: toggleWire,
    },
    {
      id: "link",
      icon: IconLink,
      label: "Copy the link to what is in sight",
      words: "address url share",
      aside: <Kbd keys="y" />,
      run: copyLink,
    },
    {
      id: "notices",
      icon: IconBell,
      label: "Notices",
      words: "toasts messages history errors",
      aside: <Kbd keys="g n" />,
      run: () => showNotices(true),
    },
    {
      id: "keys",
      icon: IconHelp,
      label: "All keys",
      words: "keyboard shortcuts help",
      aside: <Kbd keys="?" />,
      run: () => showKeys(true),
    },
    { id: "light", icon: IconSun, label: "Light theme", words: "colour scheme", run: () => choose("light") },
    { id: "dark", icon: IconMoon, label: "Dark theme", words: "colour scheme", run: () => choose("dark") },
    {
      id: "auto",
      icon: IconDeviceDesktop,
      label: "Theme as the system",
      words: "colour scheme auto",
      run: () => choose("auto"),
    },
  ];
};

const ofTheFrame = new Set(["Everywhere", "Go to", "Lists"]);

/** What the place in sight binds to keys can be done from here too. */
export const actionsHere = (): KnownEntry[] =>
  keyGroups()
    .filter((group) => !ofTheFrame.has(group.title))
    .flatMap((group) => group.bindings.filter((binding) => binding.enabled !== false))
    .map((binding) => ({
      id: `here-${binding.keys[0]}`,
      icon: IconBolt,
      label: binding.label,
      words: "here",
      aside: <Kbd keys={binding.keys[0] ?? ""} />,
      run: () => binding.run(new KeyboardEvent("keydown")),
    }));

import { create } from "zustand";
import { combine } from "zustand/middleware";
import type { Side } from "../../../sandbox/contract/control/rows.ts";
import type { Density } from "../../components/window-context.ts";
import { keep, keysIn, recall } from "../../lib/storage.ts";
import { selectExchange, selectedExchange } from "../addresses/selected-exchange.ts";

/** The wire's initial height, in pixels. */
export const INITIAL_WIRE_HEIGHT = 280;

/** Choices of this window's user. Nothing the service knows is stored here. */
const defaults = {
  wireOpen: false,
  wireHeight: INITIAL_WIRE_HEIGHT,
  /** The wire was opened to show an exchange, so it closes when Back leaves that exchange. */
  wireOpenedFor: false,
  /** The exchange that was selected when the wire was closed, to be shown again. */
  wireLast: null as string | null,
  keysOpen: false,
  stepsHidden: false,
  density: "comfortable" as Density,
  /** True if keys that type a character act (WCAG 2.1.4). */
  characterKeys: true,
  /** The credential chosen to act as, by world and side; absent: chosen by rule (see acting.ts). */
  actAs: {} as Readonly<Record<string, string>>,
};
type Ui = typeof defaults;

const PREFIX = "explorer.ui.";
const ACTS_AS = "actAs ";

/** The part that this browser stores for all its windows, by name. */
const storedChoices = ({ wireOpen, wireOpenedFor, wireHeight, stepsHidden, density, characterKeys, actAs }: Ui) =>
  new Map([
    ["wireOpen", String(wireOpen && !wireOpenedFor)],
    ["wireHeight", String(wireHeight)],
    ["stepsHidden", String(stepsHidden)],
    ["density", density],
    ["characterKeys", String(characterKeys)],
    ...Object.entries(actAs).map(([whose, id]) => [ACTS_AS + whose, id] as const),
  ]);

/** Reads a stored text; null: the value was deleted. */
const readInto = ({ actAs, ...ui }: Ui, name: string, text: string | null): Partial<Ui> => {
  if (name.startsWith(ACTS_AS)) {
    const { [name.slice(ACTS_AS.length)]: _before, ...others } = actAs;
    return { actAs: text === null ? others : { ...others, [name.slice(ACTS_AS.length)]: text } };
  }
  switch (name) {
    case "wireOpen":
      return { wireOpen: text === "true" };
    case "wireHeight":
      return { wireHeight: Number(text) || ui.wireHeight };
    case "stepsHidden":
      return { stepsHidden: text === "true" };
    case "density":
      return { density: text === "compact" ? text : "comfortable" };
    case "characterKeys":
      return { characterKeys: text !== "false" };
    default:
      return {};
  }
};

/** The last stored choices, of any window. */
const readStoredChoices = (): Ui => {
  const ui = { ...defaults };
  for (const key of keysIn("browser"))
    if (key.startsWith(PREFIX)) Object.assign(ui, readInto(ui, key.slice(PREFIX.length), recall("browser", key)));
  return ui;
};

const actAsKey = (world: string, side: Side): string => `${world} ${side}`;

/** Returns the credential chosen for a side in a world, if any. */
export const chosenCredential = ({ actAs }: Pick<Ui, "actAs">, world: string, side: Side): string | undefined =>
  actAs[actAsKey(world, side)];

export const useUi = create(
  combine(readStoredChoices(), (set) => ({
    /** Opens the wire at an exchange and puts it into the address (selected-exchange.ts); null follows the newest. */
    showInWire: (requestId: string | null) => {
      if (requestId === null) set({ wireOpenedFor: false });
      else followAddress(requestId);
      selectExchange(requestId);
    },
    hideSteps: (stepsHidden: boolean) => set({ stepsHidden }),
    chooseDensity: (density: Density) => set({ density }),
    setCharacterKeys: (characterKeys: boolean) => set({ characterKeys }),
    /** Remembers the credential of a side in a world; null returns to the rule. */
    chooseActAs: (world: string, side: Side, integrationId: string | null) =>
      set((ui) => readInto(ui, ACTS_AS + actAsKey(world, side), integrationId)),
  })),
);

let isFollowing = false;

// Each choice has its own name: a window writes only its changes, not values that it read long ago.
useUi.subscribe((ui, before) => {
  if (isFollowing) return;
  const [now, then] = [storedChoices(ui), storedChoices(before)];
  for (const name of new Set([...now.keys(), ...then.keys()]))
    if (now.get(name) !== then.get(name)) keep("browser", PREFIX + name, now.get(name) ?? null);
});

/** The wire's state belongs to each window while it is open. */
const windowOwned = new Set(["wireOpen", "wireHeight"]);

export const followChoices = (): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    const name = key?.startsWith(PREFIX) ? key.slice(PREFIX.length) : null;
    if (name === null || windowOwned.has(name)) return;
    isFollowing = true;
    useUi.setState((ui) => readInto(ui, name, newValue));
    isFollowing = false;
  });

/** Opens and closes the wire after a navigation. */
export const followAddress = (requestId: string | null): void => {
  const { wireOpen, wireOpenedFor } = useUi.getState();
  if (requestId !== null && !wireOpen) useUi.setState({ wireOpen: true, wireOpenedFor: true });
  if (requestId === null && wireOpenedFor) useUi.setState({ wireOpen: false, wireOpenedFor: false });
};

export const toggleWire = (): void => {
  const { wireOpen, wireLast } = useUi.getState();
  const shown = selectedExchange();
  useUi.setState({ wireOpen: !wireOpen, wireOpenedFor: false, wireLast: wireOpen ? shown : wireLast });
  selectExchange(wireOpen ? null : (shown ?? wireLast));
};

// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type * as UiStore from "./ui-store.ts";

let windows = 0;
/** A window of the browser: its own page over the shared storage. */
const openWindow = async () => {
  const page = `./ui-store.ts?window=${++windows}`;
  const store: typeof UiStore = await import(/* @vite-ignore */ page);
  store.followChoices();
  return store.useUi;
};
/** Browsers notify only the other windows; here every window gets every event. */
const tell = () => {
  for (const key of Object.keys(localStorage))
    window.dispatchEvent(new StorageEvent("storage", { key, newValue: localStorage.getItem(key) }));
};

describe("two windows of one browser", () => {
  it("keep each other's changes, even without having received them", async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    one.getState().chooseDensity("compact");
    one.getState().chooseActAs("qa", "repairer", "tarn");
    other.getState().setCharacterKeys(false);
    other.getState().chooseActAs("qa", "supplier", "meridian");
    const { density, characterKeys, actAs } = (await openWindow()).getState();
    expect({ density, characterKeys, actAs }).toEqual({
      ...{ density: "compact", characterKeys: false },
      actAs: { "qa repairer": "tarn", "qa supplier": "meridian" },
    });
  });

  it("follow each other, except for the wire", async () => {
    const [one, other] = [await openWindow(), await openWindow()];
    one.getState().chooseDensity("compact");
    one.getState().hideSteps(true);
    one.getState().chooseActAs("qa", "repairer", "tarn");
    one.setState({ wireOpen: true, wireHeight: 400 });
    tell();
    expect(other.getState()).toMatchObject({
      ...{ density: "compact", stepsHidden: true, actAs: { "qa repairer": "tarn" } },
      ...{ wireOpen: false, wireHeight: 280 },
    });
    expect((await openWindow()).getState()).toMatchObject({ wireOpen: true, wireHeight: 400 });
    one.getState().chooseActAs("qa", "repairer", null);
    window.dispatchEvent(new StorageEvent("storage", { key: "explorer.ui.actAs qa repairer", newValue: null }));
    expect(other.getState().actAs).toEqual({});
  });

  it("don't write back a change they only followed", async () => {
    const [one] = [await openWindow(), await openWindow()];
    one.getState().chooseDensity("compact");
    one.getState().chooseDensity("comfortable");
    window.dispatchEvent(new StorageEvent("storage", { key: "explorer.ui.density", newValue: "compact" }));
    expect((await openWindow()).getState().density).toBe("comfortable");
  });
});

it("remember the acting credential for each world", async () => {
  const ui = await openWindow();
  ui.getState().chooseActAs("qa", "repairer", "tarn");
  ui.getState().chooseActAs("default", "repairer", "other");
  ui.getState().chooseActAs("qa", "repairer", null);
  expect((await openWindow()).getState().actAs).toEqual({ "default repairer": "other" });
});

it("ignore a wire opened by an address, and invalid values", async () => {
  (await openWindow()).setState({ wireOpen: true, wireOpenedFor: true });
  localStorage.setItem("explorer.ui.wireHeight", "tall");
  localStorage.setItem("explorer.ui.density", "odd");
  expect((await openWindow()).getState()).toMatchObject({ wireOpen: false, wireHeight: 280, density: "comfortable" });
});

import { Notifications } from "@mantine/notifications";
import { useSpotlight } from "@mantine/spotlight";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useDrawn } from "../components/use-drawn.ts";
import { useKeys } from "../components/use-keys.ts";
import { useWorldsUi } from "../domain/world/worlds-ui.ts";
import { copyLink } from "../kernel/addresses/copy-link.tsx";
import { hrefs } from "../kernel/addresses/hrefs.ts";
import { placeAt } from "../kernel/addresses/places.ts";
import { listenForKeys } from "../kernel/keys/key-listener.ts";
import { type MissingWorld, useConnection } from "../kernel/live/connection-store.ts";
import { notify } from "../kernel/notices/notices.tsx";
import { Boundary } from "../kernel/place/boundary.tsx";
import { toggleWire, useUi } from "../kernel/stores/ui-store.ts";
import { useWorld } from "../kernel/world/world.ts";
import { desktopBridge } from "../lib/desktop-bridge.ts";
import { useFinding } from "../lib/finding.ts";
import { focusPlace, listenForSteps } from "../lib/focus.ts";
import { late } from "../lib/late.ts";
import { rememberWorld } from "../lib/session.ts";
import { worldAccess } from "../lib/world-access.ts";
import { badWorldIn, withoutWorld } from "../lib/world-address.ts";
import { ConnectionBanners, FaultBanner } from "./bars/banners.tsx";
import { TopBar } from "./bars/top-bar.tsx";
import { searching, searchStore } from "./palette/store.ts";
import { Places } from "./places/router.tsx";
import { Rail } from "./rail.tsx";
import { Wire } from "./wire/wire.tsx";

const { Part: Dialog, preload } = late(async () => (await import("./palette/palette-body.tsx")).PaletteDialog);

/** The page is usable by then, so fetching the search's code delays nothing. In milliseconds. */
const PRELOAD_DELAY_MS = 400;

/**
 * Ctrl/Cmd+K (and +P): places, jobs, orders, calls, commands. The code is fetched soon after the start, or on first
 * use.
 */
const Palette = () => {
  useKeys("Everywhere", [{ keys: ["mod+k", "mod+p"], label: "Search or jump to", run: searching.toggle }]);
  const { opened } = useSpotlight(searchStore);
  const [wanted, want] = useState(opened);
  if (opened && !wanted) want(true);
  useEffect(() => {
    // A failed prefetch is silent; opening the search tries again.
    const timer = setTimeout(preload, PRELOAD_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return wanted && <Dialog />;
};

/** Returns the world of this window if it no longer exists. */
export const useMissingWorld = (world: string): MissingWorld | null => {
  const missing = useConnection((state) => state.missing);
  return missing?.world === world ? missing : null;
};

/** Reports an invalid world name in the address and opens the world default. */
const useWorldOfAddress = (world: string) => {
  const [path, navigate] = useLocation();
  useEffect(() => {
    const { search } = window.location;
    const bad = badWorldIn(search);
    if (bad === null) return;
    notify.tell({
      title: `“${bad}” isn’t a valid world name`,
      detail: "Showing world “default” instead.",
    });
    navigate(path + withoutWorld(search), { replace: true });
  }, [path, navigate]);
  useEffect(() => {
    rememberWorld(world);
    // An exchange exists in one world only.
    return () => void useUi.setState({ wireLast: null });
  }, [world]);
};

/** Focuses the place after a navigation if nothing in it took focus. */
const useFocusAfterStep = () => {
  const [path] = useLocation();
  useEffect(listenForSteps, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is a navigation
  useEffect(focusPlace, [path]);
};

const MissingWorldPage = late(async () => (await import("./missing-world-page.tsx")).MissingWorldPage).Part;
const FindBar = late(async () => (await import("./bars/find-bar.tsx")).FindBar).Part;

/** Opens the find bar; an open one starts over. */
const find = () => {
  useFinding.setState({ isOpen: false });
  setTimeout(() => useFinding.setState({ isOpen: true }));
};
desktopBridge()?.onFind(find);

/** Keys of the bar and the wire, which also work before those are rendered. */
const useFrameKeys = (world: string) => {
  const [, navigate] = useLocation();
  const showWorlds = useWorldsUi(({ show }) => show);
  useKeys("Everywhere", [
    { keys: ["y"], label: "Copy link to this page", run: copyLink },
    { keys: ["~", "`"], label: "Show or hide the wire", run: toggleWire },
    ...(worldAccess() === null ? [{ keys: ["w"], label: "Switch world", run: () => showWorlds({ is: "list" }) }] : []),
    {
      keys: ["mod+f"],
      label: "Find on this page",
      // Pressed again, the key opens the browser's own search.
      when: ({ target }) => !(target instanceof Element && target.closest("[data-unsearched]")),
      run: find,
    },
    { keys: ["t"], label: "The world’s clock", run: () => navigate(hrefs.clock(world)) },
    { keys: ["?"], label: "Shortcuts and terms", run: () => useUi.setState({ keysOpen: true }) },
  ]);
};

/** The frame around every place. The place renders first, the bar and the wire right after. */
export const Shell = () => {
  const world = useWorld();
  const missing = useMissingWorld(world);
  const density = useUi((state) => state.density);
  useEffect(() => listenForKeys(() => useUi.getState().characterKeys), []);
  useFrameKeys(world);
  useWorldOfAddress(world);
  useFocusAfterStep();
  const [path] = useLocation();
  const isPlaceDrawn = useDrawn();
  const isFinding = useFinding((state) => state.isOpen);
  return (
    <div className="app" data-density={density}>
      <a className="skip" href="#place">
        Skip to content
      </a>
      <Boundary title="The rail" area="rail">
        <Rail />
      </Boundary>
      <Boundary title="The bar" area="top">
        {isPlaceDrawn ? <TopBar /> : <header className="top" />}
      </Boundary>
      <div className="banners">
        <Boundary title="A banner">
          <ConnectionBanners />
          <FaultBanner />
        </Boundary>
      </div>
      <main className="main" id="place" tabIndex={-1} aria-label={placeAt(path)?.title}>
        {missing ? (
          <Boundary title="The world">
            <MissingWorldPage missing={missing} />
          </Boundary>
        ) : (
          <Places key={world} />
        )}
      </main>
      <Boundary title="The wire">{isPlaceDrawn ? <Wire /> : <div className="wire wirebar" />}</Boundary>
      <Boundary title="The notices">
        {/* Away from the lower right, where calls are sent, so that no notice covers the content in use. */}
        {isPlaceDrawn && (
          <Notifications
            position="top-right"
            limit={3}
            containerWidth={360}
            notificationMaxHeight="50vh"
            mt="var(--top)"
            // Leaves a row's last button uncovered by the notice's close button.
            mr={44}
          />
        )}
      </Boundary>
      <Boundary title="The search">
        <Palette />
        {isFinding && <FindBar />}
      </Boundary>
    </div>
  );
};

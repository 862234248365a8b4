import { IconWorldOff } from "@tabler/icons-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { Button, LinkButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { listenForSteps, placeTakesIt } from "../../lib/focus.ts";
import { listenForKeys } from "../../lib/key-registry.ts";
import { rememberWorld } from "../../lib/session.ts";
import { badWorldIn, namingWorld, withoutWorld } from "../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../lib/world-name.ts";
import { Boundary } from "../boundary.tsx";
import { type GoneWorld, useConnection } from "../live/connection-store.ts";
import { notify } from "../notices.tsx";
import { placeAt } from "../places.ts";
import { Places } from "../router.tsx";
import { usePageTitle } from "../titles.ts";
import { useUi } from "../ui-store.ts";
import { useWorld } from "../world.ts";
import { ConnectionBanners, FaultBanner } from "./banners.tsx";
import { copyLink } from "./copy-link.ts";
import { Toasts } from "./notices-view.tsx";
import { Palette } from "./palette/palette.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";
import { Wire } from "./wire/wire.tsx";

/** Instead of the place while its world is not there: reading it would begin it anew without anyone having asked for it. */
const WorldGone = ({ gone }: { gone: GoneWorld }) => {
  usePageTitle("World gone");
  const set = useConnection((state) => state.set);
  return (
    <div className="empty">
      <Icon of={IconWorldOff} />
      <h1>The world {gone.world} is gone</h1>
      <span className="t12">
        {gone.reason} Any call to its name begins it anew, with the content of every fresh world.
      </span>
      <span className="row actions">
        <Button small onClick={() => set({ gone: null })}>
          Begin it anew
        </Button>
        <LinkButton small look="quiet" href={namingWorld("/", DEFAULT_WORLD)}>
          Go to the world default
        </LinkButton>
      </span>
    </div>
  );
};

/** The world of this window, if it is gone. */
export const useGone = (world: string): GoneWorld | null => {
  const gone = useConnection((state) => state.gone);
  return gone?.world === world ? gone : null;
};

/** An address that names no world a person could have meant is said to, and leads to the world default. */
const useWorldOfAddress = (world: string) => {
  const [path, navigate] = useLocation();
  useEffect(() => {
    const { search } = window.location;
    const bad = badWorldIn(search);
    if (bad === null) return;
    notify.tell({
      title: `“${bad}” is no world’s name`,
      detail: "This is the world default (assumptions D80 and D81).",
    });
    navigate(path + withoutWorld(search), { replace: true });
  }, [path, navigate]);
  useEffect(() => {
    rememberWorld(world);
    // An exchange of one world is none of another's.
    return () => useUi.getState().leaveWorld();
  }, [world]);
};

/** Where nothing of what a step led to has the focus, the place has it. */
const useFocusAfterStep = () => {
  const [path] = useLocation();
  useEffect(listenForSteps, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is a step
  useEffect(placeTakesIt, [path]);
};

/** What the place in sight is called, so that who is moved to it hears where. */
const usePlaceName = (): string | undefined => {
  const [path] = useLocation();
  return placeAt(path)?.title;
};

/** The frame around every place. */
export const Shell = () => {
  const world = useWorld();
  const gone = useGone(world);
  const density = useUi((state) => state.density);
  useEffect(listenForKeys, []);
  useKeys("Everywhere", [{ keys: ["y"], label: "Copy the link to what is in sight", run: copyLink }]);
  useWorldOfAddress(world);
  useFocusAfterStep();
  const title = usePlaceName();
  return (
    <div className="app" data-density={density}>
      <a className="skip" href="#place">
        Skip to the place
      </a>
      <Boundary title="The rail" area="rail">
        <Rail />
      </Boundary>
      <Boundary title="The bar" area="top">
        <TopBar />
      </Boundary>
      <div className="banners">
        <Boundary title="A banner">
          <ConnectionBanners />
          <FaultBanner />
        </Boundary>
      </div>
      <main className="main" id="place" tabIndex={-1} aria-label={title}>
        {gone ? <WorldGone gone={gone} /> : <Places key={world} />}
      </main>
      <Boundary title="The wire">
        <Wire />
      </Boundary>
      <Toasts />
      <Boundary title="The search">
        <Palette />
      </Boundary>
    </div>
  );
};

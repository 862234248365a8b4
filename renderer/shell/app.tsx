import { EmptyState, MantineProvider, Stack } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { LinkButton } from "../components/button.tsx";
import { WindowContext } from "../components/window-context.ts";
import { Addresses } from "../kernel/addresses/addresses.tsx";
import { LiveFeedReader } from "../kernel/live/live-feed-reader.tsx";
import { copyOrNotify } from "../kernel/notices/copy-text.ts";
import { Boundary } from "../kernel/place/boundary.tsx";
import { usePageTitle } from "../kernel/place/titles.ts";
import { useSignIn } from "../kernel/session/sign-in.ts";
import { useUi } from "../kernel/stores/ui-store.ts";
import { cssVariablesResolver, theme } from "../kernel/theme/theme.ts";
import { useWorld } from "../kernel/world/world.ts";
import { useControlToken } from "../lib/session.ts";
import { homeWorld, type WorldAccess, worldAccess } from "../lib/world-access.ts";
import { namingWorld } from "../lib/world-address.ts";
import { Shell, useMissingWorld } from "./shell.tsx";
import { Claim } from "./sign-in/claim.tsx";
import { SignedOut, SignedOutDialog } from "./sign-in/signed-out.tsx";

/** Replaces a world that this window's token does not open, whether it exists or not. */
const OtherWorld = ({ own }: { own: WorldAccess }) => {
  usePageTitle("Not your world");
  return (
    <Stack component="main" justify="center" mih="100vh">
      <EmptyState
        icon={<IconLock />}
        title={<h1>You don’t have access to this world</h1>}
        description={`Your token only opens ${own.world}.`}
      >
        <LinkButton small look="primary" href={namingWorld("/", own.world)}>
          Open {own.world}
        </LinkButton>
      </EmptyState>
    </Stack>
  );
};

/**
 * The frame, once there was a working token. It stays, with the user's input, when the service restarts with another
 * token and the page asks for that.
 */
const Window = () => {
  const token = useControlToken();
  const world = useWorld();
  const missing = useMissingWorld(world);
  const [showsShell, setShowsShell] = useState(token !== null);
  if (token !== null && !showsShell) setShowsShell(true);
  const [wasRefused, setWasRefused] = useState(false);
  // A signed-in user gets another token automatically.
  const isOut = useSignIn().is !== "trying" && token === null;
  if (isOut && showsShell && !wasRefused) setWasRefused(true);
  // Reading the feed of a deleted world would create it again.
  const read = missing ? homeWorld() : world;
  const own = worldAccess();
  if (token !== null && own !== null && own.world !== world) return <OtherWorld own={own} />;
  return (
    <>
      {token !== null && <LiveFeedReader key={`${read} ${token}`} world={read} token={token} />}
      {showsShell ? <Shell /> : <SignedOut />}
      {wasRefused && (
        <Boundary title="Sign-in">
          <SignedOutDialog opened={isOut} />
        </Boundary>
      )}
    </>
  );
};

/** Provides the window's settings and its notices to components. */
const WindowProviders = ({ children }: { readonly children: ReactNode }) => {
  const density = useUi((state) => state.density);
  const characterKeys = useUi((state) => state.characterKeys);
  const given = useMemo(() => ({ density, characterKeys, copyText: copyOrNotify }), [density, characterKeys]);
  return <WindowContext value={given}>{children}</WindowContext>;
};

/** Providers around the window's one page. @param props.claim the secret of a claim link; null for other addresses */
export const App = ({ client, claim }: { readonly client: QueryClient; readonly claim: string | null }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={client}>
      <Addresses>
        <WindowProviders>
          <Boundary title="The explorer">{claim === null ? <Window /> : <Claim claim={claim} />}</Boundary>
        </WindowProviders>
      </Addresses>
    </QueryClientProvider>
  </MantineProvider>
);

import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { homeWorld, worldAccess } from "../lib/world-access.ts";
import { Addresses } from "./addresses.tsx";
import { Boundary } from "./boundary.tsx";
import { LiveFeedReader } from "./live/live-feed-reader.tsx";
import { Claim } from "./shell/claim.tsx";
import { OtherWorld } from "./shell/other-world.tsx";
import { Shell, useMissingWorld } from "./shell/shell.tsx";
import { SignedOut, SignedOutDialog } from "./shell/signed-out.tsx";
import { useSignIn } from "./sign-in.ts";
import { cssVariablesResolver, theme } from "./theme/theme.ts";
import { useControlToken, useWorld } from "./world.ts";

/**
 * The frame, once there was a token that worked; it stays, with what was typed in it, when the service is started anew
 * with another one and the page asks for that.
 */
const Window = () => {
  const token = useControlToken();
  const world = useWorld();
  const gone = useMissingWorld(world);
  const [drawn, setDrawn] = useState(token !== null);
  if (token !== null && !drawn) setDrawn(true);
  const [wasRefused, setWasRefused] = useState(false);
  // Who has signed in goes on with another one.
  const isOut = useSignIn().is !== "trying" && token === null;
  if (isOut && drawn && !wasRefused) setWasRefused(true);
  // Reading the feed of a world that is gone would begin it anew.
  const read = gone ? homeWorld() : world;
  const own = worldAccess();
  if (token !== null && own !== null && own.world !== world) return <OtherWorld own={own} />;
  return (
    <>
      {token !== null && <LiveFeedReader key={`${read} ${token}`} world={read} token={token} />}
      {drawn ? <Shell /> : <SignedOut />}
      {wasRefused && (
        <Boundary title="Sign-in">
          <SignedOutDialog opened={isOut} />
        </Boundary>
      )}
    </>
  );
};

/** Providers around the window's one page. @param props.claim what a claim link carries; null: the address is none */
export const App = ({ client, claim }: { readonly client: QueryClient; readonly claim: string | null }) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariablesResolver}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={client}>
      <Addresses>
        <Boundary title="The explorer">{claim === null ? <Window /> : <Claim claim={claim} />}</Boundary>
      </Addresses>
    </QueryClientProvider>
  </MantineProvider>
);

import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { LiveFeedReader } from "./live/live-feed-reader.tsx";
import { createQueryClient } from "./query-client.ts";
import { Shell } from "./shell/shell.tsx";
import { SignedOut } from "./shell/signed-out.tsx";
import { cssVariablesResolver, theme } from "./theme/theme.ts";
import { useControlToken, useWorld } from "./world.ts";

/** Providers around the frame; without a working token, the page says what to do. */
export const App = () => {
  const [client] = useState(createQueryClient);
  const token = useControlToken();
  const world = useWorld();
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        {token ? (
          <>
            <LiveFeedReader key={`${world} ${token}`} world={world} token={token} />
            <Shell />
          </>
        ) : (
          <SignedOut />
        )}
        <Notifications position="bottom-right" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  );
};

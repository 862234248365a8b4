import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { Addresses } from "../../renderer/kernel/addresses/addresses.tsx";
import { createQueryClient } from "../../renderer/kernel/queries/query-client.ts";
import "../../renderer/kernel/theme/theme.css";
import { cssVariablesResolver, theme } from "../../renderer/kernel/theme/theme.ts";
import { Gallery } from "./gallery.tsx";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={createQueryClient()}>
        <Addresses>
          <Gallery />
        </Addresses>
      </QueryClientProvider>
    </MantineProvider>,
  );

import { MantineProvider } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { theme } from "../kernel/theme/theme.ts";
import "./async-timeout.ts";

/** Stubs browser APIs that jsdom lacks. */
const stubBrowserApis = () => {
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), { matches: false, media }) as unknown as MediaQueryList;
  // Newer browsers return a promise, which an effect must not return as its cleanup.
  Element.prototype.scrollIntoView = async () => undefined;
  window.ResizeObserver = class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
};

/** Draws a part of the explorer as in its window, without a service behind it. */
export const show = (part: ReactNode) => {
  stubBrowserApis();
  // All tests of a worker have one list of notices.
  notifications.clean();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>{part}</QueryClientProvider>
    </MantineProvider>,
  );
};

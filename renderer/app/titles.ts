import { useEffect } from "react";

/** The window's title: "J-20418 · Jobs · Integrations Explorer". */
export const usePageTitle = (...parts: ReadonlyArray<string | null | undefined>): void => {
  const title = [...parts, "Integrations Explorer"].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
};

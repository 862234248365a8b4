import { useEffect } from "react";
import { useSearchParams } from "wouter";
import { useInstall } from "./install-store.ts";

/** Other places link here with the organization whose key they lack: `?organization=<id>&scope=<side>`. */
export const useAskedFor = (): void => {
  const [search, setSearch] = useSearchParams();
  const { show, chooseOrganization } = useInstall();
  const organization = search.get("organization");
  const scope = search.get("scope");
  useEffect(() => {
    if (organization === null || (scope !== "repairer" && scope !== "supplier")) return;
    show(scope);
    chooseOrganization(scope, organization);
    // Asked for once: what the person chooses from here on is not undone by a reload.
    setSearch(
      (before) => {
        before.delete("organization");
        before.delete("scope");
        return before;
      },
      { replace: true },
    );
  }, [organization, scope, show, chooseOrganization, setSearch]);
};

import { useEffect } from "react";
import { installParams } from "../../app/places.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { useInstall } from "./install-store.ts";

/** Other places link here with the organization whose key they lack. */
export const useAskedFor = (): void => {
  const { values, change } = useSearchParamsOf(installParams);
  const { organization, scope } = values;
  const { show, chooseOrganization } = useInstall();
  useEffect(() => {
    if (organization === null || scope === null) return;
    show(scope);
    chooseOrganization(scope, organization);
    // Asked for once: what the person chooses from here on is not undone by a reload.
    change({ organization: null, scope: null });
  }, [organization, scope, show, chooseOrganization, change]);
};

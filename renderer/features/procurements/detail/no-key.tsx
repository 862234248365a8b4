import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { hasPlace } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { sideWord } from "../../../components/side.tsx";
import { installHref } from "../install-href.ts";
import { requestedQuery } from "../queries.ts";
import type { Address } from "../use-address.ts";
import { useHasKey } from "../use-has-key.ts";
import { nameOf } from "../words.ts";
import type { SideSeen } from "./two-sides.ts";

/** The way out: the install flow gives the sandbox a key of any organization. */
export const InstallFor = ({ of: { side, organization, organizationId, about } }: { of: SideSeen<unknown> }) =>
  hasPlace("install") ? (
    <LinkButton small href={installHref({ organization: organizationId, scope: side }, about)}>
      Install a key
    </LinkButton>
  ) : (
    <span className="t12 t2">
      A partner’s program gets a key of {organization} by installing with scope {side}.
    </span>
  );

/** Where confirming can be tried at once. */
export const ConfirmableElsewhere = ({ address }: { address: Address }) => {
  const { data } = useQuery(requestedQuery(useWorld()));
  const hasKey = useHasKey();
  const row = data?.find(hasKey);
  if (!row) return null;
  return (
    <span className="t12 t2">
      Or confirm <TextLink href={address.hrefOf(row)}>{nameOf(row)}</TextLink>, whose supplier’s key is here.
    </span>
  );
};

/** In place of a view nobody here may ask for: whose key is missing, what that means, and the way out. */
export const NoKey = ({ of: seen }: { of: SideSeen<unknown> }) => (
  <div className="procurements-unseen">
    <Icon of={IconKeyOff} />
    <b className="w5">No key of {seen.organization} is here</b>
    <p className="t12 t2">
      <code>{seen.operation}</code> answers {seen.organization}’s own keys; to any other it is <code>not_found</code>{" "}
      <Origin of="assumption" id="D25" />, so the {sideWord(seen.side).toLowerCase()}’s view cannot be shown
      {seen.side === "supplier" && " and the order cannot be confirmed from here"}.
    </p>
    <p className="row wrap">
      <InstallFor of={seen} />
    </p>
  </div>
);

import { useQuery } from "@tanstack/react-query";
import type { Client, Organization } from "../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../app/acting.ts";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useWorld } from "../../app/world.ts";
import { clientsQuery, organizationsQuery } from "../../app/world-queries.ts";
import { Read } from "../../components/read.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { plural } from "../../lib/formatting.ts";
import { useAskedFor } from "./asked-for.ts";
import { ClientBar } from "./client-bar.tsx";
import { CredentialsTable } from "./credentials-table.tsx";
import { FailureList } from "./failure-list.tsx";
import { FlowPane } from "./flow-pane.tsx";
import "./install.css";
import { useInstall } from "./install-store.ts";
import { SideChoice } from "./side-choice.tsx";
import { useReturned } from "./use-returned.ts";

const CredentialCount = () => {
  const { data } = useCredentials();
  if (!data) return null;
  const go = () => {
    const table = document.getElementById("install-credentials");
    table?.scrollIntoView({ block: "nearest" });
    table?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="lnk t12" onClick={go}>
      {plural(data.length, "credential")}
    </button>
  );
};

const Install = ({
  clients,
  organizations,
}: {
  clients: readonly Client[];
  organizations: readonly Organization[];
}) => {
  const { clientId, shown, active, organizations: chosen } = useInstall();
  const client =
    clients.find(({ client_id }) => client_id === clientId) ??
    clients.find(({ oauth_enabled }) => oauth_enabled) ??
    clients[0];
  if (!client) return null;
  const of = {
    repairer: organizations.filter(({ scope }) => scope === "repairer"),
    supplier: organizations.filter(({ scope }) => scope === "supplier"),
  };
  const acting = of[active].find(({ id }) => id === chosen[active]) ?? of[active][0];
  const sides = shown === "both" ? (["repairer", "supplier"] as const) : [shown];
  return (
    <div className="install">
      <div className="install-main">
        <ClientBar client={client} clients={clients} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="install-scroll" tabIndex={0} aria-label="Flow and credentials">
          <div className={`install-flows${shown === "both" ? " both" : ""}`}>
            {sides.map((side) => (
              <FlowPane key={side} side={side} client={client} organizations={of[side]} />
            ))}
          </div>
          <CredentialsTable />
        </section>
      </div>
      {acting && <FailureList clients={clients} organization={acting} scope={active} />}
    </div>
  );
};

const ReadInstall = () => {
  const world = useWorld();
  const clients = useQuery(clientsQuery(world));
  const organizations = useQuery(organizationsQuery(world));
  return (
    <Read of={clients} what="the clients" rows={5}>
      {(known) => (
        <Read of={organizations} what="the organizations" rows={5}>
          {(all) => <Install clients={known} organizations={all} />}
        </Read>
      )}
    </Read>
  );
};

/** Install, as a partner's app lives it: consent, code, one call, a key; and every way it fails. */
export const Place = (_props: PlaceProps) => {
  usePageTitle("Install");
  useAskedFor();
  useReturned();
  return (
    <div className="place">
      <PlaceHead title="Install" note="as a partner’s app lives it">
        <CredentialCount />
        <SideChoice />
      </PlaceHead>
      <ReadInstall />
    </div>
  );
};

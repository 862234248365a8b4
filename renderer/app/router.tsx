import { IconMapOff } from "@tabler/icons-react";
import { Suspense } from "react";
import { Route, Switch } from "wouter";
import { LinkButton } from "../components/button.tsx";
import { NothingYet } from "../components/empty.tsx";
import { Loading } from "../components/loading.tsx";
import { Gallery, type PlaceEntry, places } from "./places.ts";
import { PlaceBoundary } from "./shell/place-boundary.tsx";
import { usePageTitle } from "./titles.ts";

const patternOf = ({ path }: PlaceEntry) => (path === "/" ? "/" : `${path}/:id?/:tab?`);

const NoSuchAddress = () => {
  usePageTitle("Nothing here");
  return (
    <NothingYet
      icon={IconMapOff}
      title="Nothing has this address"
      actions={
        <LinkButton small href="/">
          Go to Overview
        </LinkButton>
      }
    >
      The link may be from another version, or mistyped.
    </NothingYet>
  );
};

/** What the address shows. A place keeps its state while its own address changes. */
export const Places = () => (
  <Switch>
    {places.map((place) => (
      <Route key={place.name} path={patternOf(place)}>
        {(params: { id?: string; tab?: string }) => (
          <PlaceBoundary key={place.name} title={place.title}>
            <Suspense fallback={<Loading what={place.title} rows={6} />}>
              <place.Place id={params.id} tab={params.tab} />
            </Suspense>
          </PlaceBoundary>
        )}
      </Route>
    ))}
    {Gallery && (
      <Route path="/gallery">
        <PlaceBoundary title="Gallery">
          <Suspense fallback={<Loading what="the gallery" rows={6} />}>
            <Gallery id={undefined} tab={undefined} />
          </Suspense>
        </PlaceBoundary>
      </Route>
    )}
    <Route>
      <NoSuchAddress />
    </Route>
  </Switch>
);

import { IconMapOff } from "@tabler/icons-react";
import { Route, Switch } from "wouter";
import { Missing } from "../../components/read.tsx";
import { isOpen, type PlaceEntry } from "../../kernel/addresses/places.ts";
import { Boundary } from "../../kernel/place/boundary.tsx";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { placesWithCode } from "./place-code.ts";

const patternOf = ({ path }: PlaceEntry) => (path === "/" ? "/" : `${path}/:id?/:tab?`);

const NoSuchAddress = () => {
  usePageTitle("Page not found");
  return (
    <Missing
      icon={IconMapOff}
      title={<h1>Page not found</h1>}
      why="Check the link. It may be mistyped or from another version."
      href="/"
      all="Go to Overview"
    />
  );
};

/** The default window title of a place. Rendered before the place, which may set a longer one. */
const PlaceTitle = ({ title }: { title: string }) => {
  usePageTitle(title);
  return null;
};

/** The place at the current address. A place keeps its state while its own address changes. */
export const Places = () => (
  <Switch>
    {placesWithCode.filter(isOpen).map((place) => (
      <Route key={place.name} path={patternOf(place)}>
        {(params: { id?: string; tab?: string }) => (
          <Boundary key={place.name} title={place.title}>
            <PlaceTitle title={place.title} />
            <place.Place id={params.id} tab={params.tab} />
          </Boundary>
        )}
      </Route>
    ))}
    <Route>
      <NoSuchAddress />
    </Route>
  </Switch>
);

import { Box, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { LinkButton } from "../../components/button.tsx";
import { Detail } from "../../components/detail.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { actingCountQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { useArmedCount } from "./faults/queries.ts";
import styles from "./worlds.module.css";

interface WorldPageProps {
  readonly name: string;
  readonly of: "Faults" | "Counterparts";
  readonly children: ReactNode;
}

/** Links a world's page back to the world. */
export const BackToWorld = ({ name }: { name: string }) => (
  <LinkButton small look="quiet" icon={IconArrowLeft} href={hrefs.world(name)}>
    {name}
  </LinkButton>
);

/** Links to a world's pages; for this window's world with the numbers of active counterparts and faults. */
export const WorldPages = ({ name, of }: { name: string; of: WorldPageProps["of"] | "World" }) => {
  const isHere = name === useWorld();
  const { data: acting = 0 } = useQuery({ ...actingCountQuery(name), enabled: isHere });
  const armed = useArmedCount();
  const pages = [
    ["World", hrefs.world(name), 0],
    ["Counterparts", hrefs.counterparts(name), acting],
    ["Faults", hrefs.faults(name), isHere ? armed : 0],
  ] as const;
  return (
    <nav className={styles.pages} aria-label={`Pages of ${name}`}>
      {pages.map(([page, href, on]) => (
        <Link key={page} href={href} aria-current={page === of ? "page" : undefined}>
          {page} {on > 0 && <Text variant="note">{on} on</Text>}
        </Link>
      ))}
    </nav>
  );
};

/** An extension's page of a world. Doesn't read worlds other than the window's, because a read postpones their reset. */
export const WorldPage = ({ name, of, children }: WorldPageProps) => {
  const label = `${of} of ${name}`;
  usePageTitle(label, "Worlds");
  return (
    <Detail label={label} title={label} beside={<Origin of="extension" />} scrolls>
      <WorldPages name={name} of={of} />
      {name === useWorld() ? (
        children
      ) : (
        <Box variant="note" className="hl" component="p" py={10} px="lg">
          Open this world to change its {of.toLowerCase()}. Reading them here would postpone its reset.{" "}
          <TextLink href={namingWorld((of === "Faults" ? hrefs.faults : hrefs.counterparts)(name), name)}>
            Open {name}
          </TextLink>
        </Box>
      )}
    </Detail>
  );
};

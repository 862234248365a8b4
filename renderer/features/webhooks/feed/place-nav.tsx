import { Link, useLocation } from "wouter";
import { useKeys } from "../../../components/use-keys.ts";
import { addresses, type Shown } from "../addresses.ts";
import shared from "../webhooks.module.css";

interface Page {
  readonly href: string;
  readonly name: string;
  readonly shows: readonly Shown["page"][];
}

const pages: readonly Page[] = [
  { href: addresses.subscriptions, name: "Subscriptions", shows: ["subscriptions", "subscription"] },
  { href: addresses.receivers, name: "Receivers", shows: ["receivers", "receiver"] },
  { href: addresses.sink(), name: "Reference receiver", shows: ["sink"] },
  { href: addresses.lab, name: "Lab", shows: ["lab"] },
];

/** The pages of the place beside its deliveries. */
export const PlaceNav = ({ shown }: { shown: Shown["page"] }) => {
  const [, navigate] = useLocation();
  useKeys(
    "Webhooks",
    pages.map(({ href, name }, index) => ({ keys: [String(index + 1)], label: name, run: () => navigate(href) })),
  );
  return (
    <nav className={shared.nav} aria-label="Pages of Webhooks">
      {pages.map(({ href, name, shows }) => (
        <Link key={href} href={href} aria-current={shows.includes(shown) ? "page" : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
};

import { IconFlask, IconInbox, IconServerBolt, IconWebhook } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { Icon, type IconOf } from "../../../components/icon.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { addresses, type Shown } from "../addresses.ts";

interface Page {
  readonly href: string;
  readonly name: string;
  readonly icon: IconOf;
  readonly shows: readonly Shown["page"][];
}

const pages: readonly Page[] = [
  {
    href: addresses.subscriptions,
    name: "Subscriptions",
    icon: IconWebhook,
    shows: ["subscriptions", "subscription"],
  },
  { href: addresses.receivers, name: "Receivers", icon: IconServerBolt, shows: ["receivers", "receiver"] },
  { href: addresses.sink(), name: "Sink", icon: IconInbox, shows: ["sink"] },
  { href: addresses.lab, name: "Lab", icon: IconFlask, shows: ["lab"] },
];

/** The pages of the place beside its deliveries. */
export const PlaceNav = ({ shown }: { shown: Shown["page"] }) => {
  const [, navigate] = useLocation();
  useKeys(
    "Webhooks",
    pages.map(({ href, name }, index) => ({ keys: [String(index + 1)], label: name, run: () => navigate(href) })),
  );
  return (
    <nav className="webhooks-nav" aria-label="Pages of Webhooks">
      {pages.map(({ href, name, icon, shows }) => (
        <Link key={href} href={href} aria-current={shows.includes(shown) ? "page" : undefined}>
          <Icon of={icon} size={14} />
          {name}
        </Link>
      ))}
    </nav>
  );
};

import type { ReactNode } from "react";
import { Link } from "wouter";

/** A link to another address of the explorer. */
export const TextLink = ({ href, children, title }: { href: string; children: ReactNode; title?: string }) => (
  <Link href={href} className="lnk" title={title}>
    {children}
  </Link>
);

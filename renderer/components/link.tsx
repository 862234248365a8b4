import type { ReactNode } from "react";
import { Link } from "wouter";

interface TextLinkProps {
  readonly href: string;
  readonly children: ReactNode;
  readonly title?: string | undefined;
  /** Runs before the navigation. */
  readonly onFollow?: (() => void) | undefined;
}

/** A link to another address of the explorer. */
export const TextLink = ({ href, children, title, onFollow }: TextLinkProps) => (
  <Link href={href} className="lnk" title={title} onClick={onFollow}>
    {children}
  </Link>
);

import type { UseMutationResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../app/acting.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refused } from "../../components/failing.tsx";
import { SideGlyph } from "../../components/side.tsx";
import type { Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { announce } from "../../lib/announce.ts";
import { formatCount } from "../../lib/formatting.ts";
import styles from "./webhooks.module.css";

/** What tells one row of a list from another. */
export const keyOf = ({ id }: { readonly id: string }): string => id;

/** How many of something; none stands back. */
export const Count = ({ of }: { of: number }) => <span className={of === 0 ? "t3" : undefined}>{formatCount(of)}</span>;

/** A column that says since when something is there. */
export const since: Column<{ readonly created_at: string }> = {
  key: "since",
  head: "Since",
  width: "88px",
  right: true,
  cell: ({ created_at }) => (
    <span className="t2">
      <Time at={created_at} />
    </span>
  ),
};

/** An address or what else stands in code, broken anywhere. */
export const Code = ({ children }: { children: ReactNode }) => <span className="m11 wrapany">{children}</span>;

/** Why something was not done, in a box of its own. */
export const RefusedBox = ({ error }: { error: Error | null }) =>
  error && (
    <div className="bad toned refused">
      <Refused error={error} />
    </div>
  );

/** A list and what is chosen in it, beside each other where there is room and below each other where there is not. */
export const Panes = ({
  label,
  open = null,
  list,
  detail,
}: {
  label: string;
  /** Which of the list is chosen. */
  open?: string | null;
  list: ReactNode;
  detail: ReactNode;
}) => {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Below the list it may be out of sight; beside it, it is there already.
    if (open !== null) chosen.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <div className={`scroll ${styles.room}`}>
      <div className={styles.beside}>
        <section className="list" aria-label={label}>
          {list}
        </section>
        <div ref={chosen} className={`col ${styles.chosen}`}>
          {detail}
        </div>
      </div>
    </div>
  );
};

/** Asks before something ends; its children say what ends with it. */
export const EndDialog = ({
  of,
  what,
  verb,
  ending: { mutateAsync, variables, error, isPending },
  onClose,
  onEnded,
  children,
}: {
  /** What would end; null where nothing is asked. */
  of: { readonly id: string } | null;
  /** "Subscription". */
  what: string;
  verb: "Delete" | "Remove";
  ending: Pick<UseMutationResult<unknown, Error, { id: string }>, "mutateAsync" | "variables" | "error" | "isPending">;
  onClose: () => void;
  onEnded?: (() => void) | undefined;
  children: ReactNode;
}) => {
  const noun = what.toLowerCase();
  // Its answer may be about another one, which was asked about before.
  const isAsked = of !== null && variables?.id === of.id;
  const end = async (id: string) => {
    try {
      await mutateAsync({ id });
    } catch {
      // Shown in the dialog.
      return;
    }
    // Whether this is still there or not: the feed may have told of the end before the answer came.
    announce(`${what} ${verb.toLowerCase()}d`);
    onClose();
    onEnded?.();
  };
  return (
    <Dialog opened={of !== null} onClose={onClose} title={`${verb} this ${noun}?`} size={480}>
      <div className="stack row-3">
        {children}
        <Refused error={isAsked ? error : null} />
        <div className="row">
          <span className="grow" />
          <Button look="quiet" onClick={onClose}>
            Keep it
          </Button>
          <Button look="danger" busy={isAsked && isPending} onClick={() => of && void end(of.id)}>
            {verb} {noun}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

/** An integration of this world, with its secret where there is one. */
export const useIntegration = (id: string | null): Credential | undefined =>
  useCredentials().data?.find(({ integration_id }) => integration_id === id);

export const Owner = ({ integrationId }: { integrationId: string }) => {
  const owner = useIntegration(integrationId);
  return (
    <>
      <SideGlyph side={owner?.scope ?? null} labelled />
      {owner?.organization_name ?? <span className="t3">not of this world</span>}
    </>
  );
};

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type PolicyName, policyNames, policyQuestions } from "../../../sandbox/contract/control/policies.ts";
import { hrefs } from "../../app/places.ts";
import { useWorld } from "../../app/world.ts";
import { policiesQuery } from "../../app/world-queries.ts";
import { Breakable } from "../../components/breakable.tsx";
import { Button } from "../../components/button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Read } from "../../components/read.tsx";
import type { ConsoleCall } from "../../domain/exchange/console-call.ts";
import { plural } from "../../lib/formatting.ts";
import styles from "./errors.module.css";
import { keyOf, type Provocation, provocationsQuery, useMakeHappen } from "./provocations.ts";

/** The switch that what an error needs speaks of. */
const switchIn = (needs: string | null): PolicyName | undefined => {
  const [decision] = /\bD\d+\b/.exec(needs ?? "") ?? [];
  return policyNames.find((name) => policyQuestions[name].decision === decision);
};

const SetIt = ({ policy }: { policy: PolicyName }) => (
  <TextLink href={hrefs.assumption(useWorld(), policy)}>Set it</TextLink>
);

const Row = ({ of, busy, onMake }: { of: Provocation; busy: boolean; onMake: () => void }) => {
  const policy = switchIn(of.needs);
  return (
    <li>
      <HttpStatus status={of.status} />
      <span className={styles.name}>{of.name}</span>
      <Button small busy={busy} disabled={of.call === null} onClick={onMake}>
        Make it happen <span className="sr">{of.name}</span>
      </Button>
      <span className={styles.says}>
        {of.needs ?? of.says} {policy && <SetIt policy={policy} />}{" "}
        <code>
          <Breakable code={of.code} />
        </code>
      </span>
    </li>
  );
};

/**
 * Every error an operation can give, each with a button that fills in a call of this world's own things that is
 * answered so, and sends it.
 */
export const ErrorsSection = ({
  operation,
  integration,
  onSend,
}: {
  operation: string;
  /** Whose call it should be, where the error leaves the choice. */
  integration: string | null;
  onSend: (call: ConsoleCall) => void;
}) => {
  const world = useWorld();
  const { data: switches } = useQuery(policiesQuery(world));
  const asked = { operation, integration, switches };
  const query = useQuery(provocationsQuery(world, asked));
  const [opened, setOpened] = useState(false);
  const make = useMakeHappen(asked, onSend);
  const rows = (items: readonly Provocation[], label: string) => (
    <ul className={styles.errors} aria-label={label}>
      {items.map((item) => (
        <Row
          key={keyOf(item)}
          of={item}
          busy={make.isPending && keyOf(make.variables) === keyOf(item)}
          onMake={() => {
            if (!make.isPending) make.mutate(item);
          }}
        />
      ))}
    </ul>
  );
  const own = query.data?.items.filter((item) => item.own) ?? [];
  const ofAny = query.data?.items.filter((item) => !item.own) ?? [];
  return (
    <section aria-label="Errors it can give">
      <div className="sec hl">
        <h3 className="h2">Errors it can give</h3>
        {query.data && <span className="t12 t3">{own.length}</span>}
      </div>
      <Read of={query} what="the errors" rows={3}>
        {() => (
          <>
            {rows(own, "Errors of its own")}
            {ofAny.length > 0 && (
              <p className={styles.more}>
                <Button small look="quiet" expanded={opened} onClick={() => setOpened(!opened)}>
                  {plural(ofAny.length, "error")} that any call can meet
                </Button>
              </p>
            )}
            {opened && rows(ofAny, "Errors that any call can meet")}
          </>
        )}
      </Read>
    </section>
  );
};

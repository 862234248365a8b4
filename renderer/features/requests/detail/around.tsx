import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { outcomeOf } from "../../../domain/trace/verdict.ts";
import { formatSpan } from "../../../lib/formatting.ts";
import { compareHref } from "../addresses.ts";
import { aroundQuery } from "../queries.ts";
import styles from "./around.module.css";

/** "−49 s", "+8 s", "+340 ms". */
const apart = (row: RequestRow, from: RequestRow): string => {
  const ms = new Date(row.at).getTime() - new Date(from.at).getTime();
  return `${ms < 0 ? "−" : "+"}${Math.abs(ms) < 1_000 ? `${Math.abs(ms)} ms` : formatSpan(Math.abs(ms))}`;
};

const Call = ({ row, from }: { row: RequestRow; from: RequestRow }) => {
  const isThis = row.id === from.id;
  const came = outcomeOf(row);
  const about = row.label === null || came.includes(row.label) ? came : `${row.label} ${came}`;
  return (
    <li className={styles.call} aria-current={isThis ? "true" : undefined}>
      <span className="t3 nw r">{isThis ? "this" : apart(row, from)}</span>
      <span className="el" title={callTitle(row)}>
        {isThis ? (
          <b className="w5">{callTitle(row)}</b>
        ) : (
          <TextLink href={hrefs.request(row.id)}>{callTitle(row)}</TextLink>
        )}
      </span>
      <HttpStatus status={row.status} />
      <span className={`t2 ${styles.about}`}>
        <span className="el" title={about}>
          <Sentence text={about} />
        </span>
        {!isThis && row.operation === from.operation && (
          <TextLink href={compareHref(from.id, row.id)}>Compare</TextLink>
        )}
      </span>
    </li>
  );
};

/** What the same caller called before and after. */
export const Around = ({ of }: { of: RequestRow }) => {
  const query = useQuery(aroundQuery(useWorld(), of));
  return (
    <section className="hl" aria-label="Calls around it">
      <div className="sec">
        <h3 className="h2 el">
          {of.integration_id === null ? "Calls without a known key around this one" : "Calls around this one"}
        </h3>
      </div>
      <Read of={query} what="the calls around it" rows={3}>
        {({ before, after }) => (
          <ul className={styles.calls}>
            {[...after, of, ...before].map((row) => (
              <Call key={row.id} row={row} from={of} />
            ))}
          </ul>
        )}
      </Read>
    </section>
  );
};

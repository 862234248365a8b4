import { isRefused } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestRow as Row } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { ListRow } from "../../../components/list-row.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { OperationName } from "../../../domain/exchange/operation.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { callOutcome } from "../../../domain/trace/verdict.ts";
import { formatMs } from "../../../lib/formatting.ts";
import styles from "./list.module.css";

/** Text with the search term highlighted. */
const Found = ({ text, search }: { text: string; search: string }) => {
  const at = search === "" ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  );
};

/** Names the test values of a call, so that nobody investigates a requested failure. */
const testValuesTitle = (met: NonNullable<Row["test_values"]>): string =>
  met.map(({ value, sentence }) => `${value}: ${sentence}`).join("\n");

/** A call in the list: label, response, record and time. */
export const RequestRow = ({ row, search }: { row: Row; search: string }) => (
  <ListRow
    title={
      <>
        <SideGlyph side={row.side} labelled />
        <span className="cut" style={{ flex: row.operation === null ? "0 1 auto" : "none" }} title={callTitle(row)}>
          <Found text={callTitle(row)} search={search} />
        </span>
        {row.operation !== null && (
          <span className={styles.operation}>
            <OperationName name={row.operation} />
          </span>
        )}
      </>
    }
    aside={
      <span className="li-state">
        <HttpStatus status={row.status} />
      </span>
    }
    detail={
      <span className={styles.about} title={[row.label, row.outcome].filter(Boolean).join(": ")}>
        {row.label !== null && (
          <b>
            <Found text={row.label} search={search} />{" "}
          </b>
        )}
        {row.test_values && <em title={testValuesTitle(row.test_values)}>test value, </em>}
        {isRefused(row) && <em>refused, </em>}
        {search === "" && row.reason ? (
          <Sentence text={row.reason} />
        ) : (
          <Found text={search === "" ? callOutcome(row) : row.outcome} search={search} />
        )}
      </span>
    }
    state={
      <span data-variant="aside">
        <Time at={row.at} as="clock" on="real" />
        <span> · {formatMs(row.duration_ms)}</span>
      </span>
    }
  />
);

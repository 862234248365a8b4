import { IconArrowRight } from "@tabler/icons-react";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { plural } from "../../../lib/formatting.ts";
import type { Correction } from "../explain-queries.ts";
import { placeOf } from "../export/edit-words.ts";
import styles from "./detail.module.css";

const written = (value: unknown): string => JSON.stringify(value);

const EditLines = ({ edit }: { edit: Correction["edits"][number] }) => {
  const name = placeOf(edit);
  return (
    <>
      {edit.before !== undefined && (
        <div className="d del">
          <span role="img" aria-label="taken away">
            −
          </span>
          <span title={written(edit.before)}>
            {name}: {written(edit.before)}
          </span>
        </div>
      )}
      {edit.after !== undefined && (
        <div className="d add">
          <span role="img" aria-label="added">
            +
          </span>
          <span title={written(edit.after)}>
            {name}: {written(edit.after)}
          </span>
        </div>
      )}
      <div className={`d ${styles.reason}`}>
        <span />
        <span className="t3">{edit.reason}</span>
      </div>
    </>
  );
};

/** The fewest edits with which the call is accepted, and what it would come to: it was tried, and undone. */
export const SmallestCorrection = ({ correction }: { correction: Correction }) => {
  const { edits, credential, would_answer } = correction;
  return (
    <section className="hl" aria-label="Smallest correction">
      <div className="sec">
        <h3 className="h2">Smallest correction</h3>
        <span className="t12 t3">
          {edits.length === 0 ? "nothing in the body or headers" : plural(edits.length, "edit")}
        </span>
      </div>
      <div className="df">
        {edits.map((edit) => (
          <EditLines key={`${edit.in} ${edit.pointer}`} edit={edit} />
        ))}
      </div>
      {credential && (
        <p className={`t12 ${styles.padded}`}>
          Send it with the key of <SideGlyph side={credential.side} labelled /> {credential.organization_name}.
        </p>
      )}
      <div className={styles.padded}>
        <Note icon={<Icon of={IconArrowRight} size={14} />}>
          Would answer <HttpStatus status={would_answer.status} />: {would_answer.outcome}
        </Note>
      </div>
    </section>
  );
};

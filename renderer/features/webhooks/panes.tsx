import type { ReactNode } from "react";

/** A list and what is chosen in it, beside each other where there is room and below each other where there is not. */
export const Panes = ({ label, list, detail }: { label: string; list: ReactNode; detail: ReactNode }) => (
  <div className="webhooks-room">
    <div className="webhooks-beside">
      <section className="list" aria-label={label}>
        {list}
      </section>
      <div className="webhooks-chosen">{detail}</div>
    </div>
  </div>
);

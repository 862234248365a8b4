import type { ReactNode } from "react";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { TextLink } from "../../components/link.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";

/** The label of a call's job or order; null for none. */
export const touchedRecord = ({
  job_id,
  procurement_id,
  label,
}: Pick<RequestRow, "job_id" | "procurement_id" | "label">): { readonly name: string; readonly href: string } | null =>
  label === null || job_id === null
    ? null
    : { name: label, href: procurement_id === null ? hrefs.job(job_id) : hrefs.procurement(procurement_id) };

/** A link to a call's job or order; `none` without one. */
export const Touched = ({ row, none = null }: { row: RequestRow; none?: ReactNode }) => {
  const touched = touchedRecord(row);
  return touched === null ? none : <TextLink href={touched.href}>{touched.name}</TextLink>;
};

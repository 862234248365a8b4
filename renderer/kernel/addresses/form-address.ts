import { useCallback } from "react";
import { useLocation } from "wouter";
import { useNeeded } from "../../lib/late.ts";
import { choice, searchParams, useSearchParamsOf } from "../../lib/search-params.ts";

const forms = ["new", "edit", "subscribe", "fault", "import"] as const;
type FormName = (typeof forms)[number];

const params = searchParams({ form: choice(forms) });

/** The query of an address that opens a form. */
export const formQuery = (form: FormName): string => params.format("", { form });

/**
 * Returns whether a form is open, by the address: it survives a reload, and going back closes it. Its dialog is
 * `isInAddress`.
 */
export const useFormAddress = (form: FormName) => {
  const [path, navigate] = useLocation();
  const { values, change, query } = useSearchParamsOf(params);
  const open = useCallback(() => navigate(path + params.format(query, { form })), [navigate, path, query, form]);
  const close = useCallback(() => change({ form: null }), [change]);
  const opened = values.form === form;
  return { opened, isNeeded: useNeeded(opened), open, close };
};

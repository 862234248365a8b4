import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

type FormName = "new" | "edit";

/** The query with a form named in it, or without one; empty, or begins with `?`. */
export const withForm = (query: string, form: FormName | null): string => {
  const parameters = new URLSearchParams(query);
  if (form === null) parameters.delete("form");
  else parameters.set("form", form);
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
};

const formIn = (query: string): FormName | null => {
  const form = new URLSearchParams(query).get("form");
  return form === "new" || form === "edit" ? form : null;
};

/** Whether a form is open, as the address says it: a reload finds it open, and going back closes it. */
export const useFormAddress = (form: FormName) => {
  const [path, navigate] = useLocation();
  const query = useSearch();
  const opened = formIn(query) === form;
  const open = useCallback(() => navigate(path + withForm(query, form)), [navigate, path, query, form]);
  const close = useCallback(() => navigate(path + withForm(query, null), { replace: true }), [navigate, path, query]);
  return { opened, open, close };
};

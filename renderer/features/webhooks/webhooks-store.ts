import { useEffect } from "react";
import { useLocation } from "wouter";
import { create } from "zustand";

/** State of the subscription form. */
const useForm = create<{ readonly open: boolean }>()(() => ({ open: false }));

export const openForm = (open = true) => useForm.setState({ open });

/** Navigation closes the form, so that it isn't open on the next visit. */
export const useFormOpen = (): boolean => {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => () => openForm(false), [path]);
  return useForm(({ open }) => open);
};

import { useEffect } from "react";
import { useLocation } from "wouter";
import { create } from "zustand";

/** Whether the form that subscribes lies over the place. */
const useForm = create<{ readonly open: boolean }>()(() => ({ open: false }));

export const openForm = (open = true) => useForm.setState({ open });

/** Going back, or anywhere else, closes it: it is not open when the person comes again. */
export const useFormOpen = (): boolean => {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => () => openForm(false), [path]);
  return useForm(({ open }) => open);
};

import { create } from "zustand";

/** Whether somebody looks for a text on the page: what is folded or cut short is drawn whole meanwhile. */
export const useFinding = create(() => ({ isOpen: false }));

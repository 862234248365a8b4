import { create } from "zustand";

/** Whether the find bar is open; folded or cut text is drawn completely meanwhile. */
export const useFinding = create(() => ({ isOpen: false }));

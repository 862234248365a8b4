import { create } from "zustand";

/** True if the find bar is open; folded or cut text is drawn completely meanwhile. */
export const useFinding = create(() => ({ isOpen: false }));

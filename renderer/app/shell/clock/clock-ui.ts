import { create } from "zustand";

/** Whether the world's clock can be moved: opened from the bar, by key or from the palette. */
export const useClockUi = create<{ readonly open: boolean; readonly show: (open: boolean) => void }>()((set) => ({
  open: false,
  show: (open) => set({ open }),
}));

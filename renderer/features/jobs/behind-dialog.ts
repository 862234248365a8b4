/** Whether a dialog is on top: then Ctrl+Enter is the dialog's, whoever bound it last. */
export const isBehindDialog = (): boolean => document.querySelector("[role=dialog][aria-modal=true]") !== null;

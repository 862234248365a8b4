/** Gives the keyboard what scrolls sideways: tables that are wider than the window. Code is wrapped. */
const markScrolling = (): void => {
  for (const table of document.querySelectorAll<HTMLElement>(".sl-markdown-content table")) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
    else table.removeAttribute("tabindex");
  }
};

markScrolling();
addEventListener("resize", markScrolling);

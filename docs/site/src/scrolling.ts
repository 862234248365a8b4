/** Makes wide tables and inline code scrollable by keyboard. */
const markScrolling = (): void => {
  for (const wide of document.querySelectorAll<HTMLElement>(".sl-markdown-content :is(table, pre)")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
};

markScrolling();
addEventListener("resize", markScrolling);

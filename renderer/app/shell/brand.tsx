/** The app's mark: the two sides. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 18 18" aria-hidden="true">
    <path d="M8 2H5a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h3v-4.2H6.4V6.2H8z" fill="var(--buyer)" />
    <path d="M10 2h3a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-3v-4.2h1.6V6.2H10z" fill="var(--supplier)" />
  </svg>
);

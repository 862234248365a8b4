import type { MantineThemeComponents } from "@mantine/core";

const heights: Record<string, string> = { xs: "24px", sm: "28px", md: "28px", lg: "32px" };
const heightOf = (size: unknown) => heights[String(size ?? "sm")] ?? "28px";
const textOf = (size: unknown) => (size === "xs" ? "12px" : "13px");

const pop = { shadow: "md", radius: "md", withArrow: false, transitionProps: { duration: 80 } };
const inputSize = (_theme: unknown, props: { size?: unknown }) => ({
  wrapper: {
    "--input-height": heightOf(props.size),
    "--input-fz": textOf(props.size),
    "--input-bd": "var(--line-control)",
  },
});
// A list of options stays in the window at 200 % zoom, too.
const options = { comboboxProps: pop, maxDropdownHeight: "clamp(96px, 30vh, 220px)" };
const input = {
  defaultProps: { size: "sm", inputWrapperOrder: ["label", "input", "description", "error"] },
  vars: inputSize,
};

/** Sizes and edges of the library's components where they differ from its own; looks that need selectors are in library.css. */
export const componentDefaults: MantineThemeComponents = {
  Button: {
    defaultProps: { size: "sm", variant: "default" },
    vars: (_theme: unknown, props: { size?: unknown }) => ({
      root: {
        "--button-height": heightOf(props.size),
        "--button-fz": textOf(props.size),
        "--button-padding-x": props.size === "xs" ? "8px" : "10px",
      },
    }),
  },
  ActionIcon: {
    defaultProps: { size: "sm", variant: "subtle" },
    vars: (_theme: unknown, props: { size?: unknown }) => ({ root: { "--ai-size": heightOf(props.size) } }),
  },
  TextInput: input,
  Textarea: input,
  NumberInput: input,
  Select: { ...input, defaultProps: { ...input.defaultProps, checkIconPosition: "right", ...options } },
  Autocomplete: { ...input, defaultProps: { ...input.defaultProps, ...options } },
  Tooltip: {
    defaultProps: {
      withArrow: false,
      openDelay: 400,
      transitionProps: { duration: 80 },
      events: { hover: true, focus: true, touch: false },
    },
  },
  Popover: { defaultProps: pop },
  // The placeholder is a focusable child that a menu may not have.
  Menu: { defaultProps: { ...pop, offset: 4, withInitialFocusPlaceholder: false } },
  // The dialog's own head is no landmark of the page.
  Modal: {
    defaultProps: {
      closeButtonProps: { "aria-label": "Close" },
      attributes: { header: { role: "presentation" } },
      radius: "md",
      padding: 16,
      overlayProps: { backgroundOpacity: 0.35, blur: 0 },
      transitionProps: { duration: 80 },
      centered: false,
      yOffset: "10vh",
    },
  },
};

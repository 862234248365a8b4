import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  type MantineThemeComponents,
  type VariantColorsResolver,
} from "@mantine/core";
import { passFocusOnRemoval } from "../../lib/focus.ts";

/** A button's looks in tokens, which cover both schemes and both contrasts without a second palette. */
const looks: Readonly<Record<string, ReturnType<VariantColorsResolver>>> = {
  filled: {
    background: "var(--accent)",
    hover: "var(--accent-hover)",
    color: "var(--on-accent)",
    border: "1px solid transparent",
  },
  outline: {
    background: "var(--raised)",
    hover: "var(--hover)",
    color: "var(--bad-text)",
    border: "1px solid var(--bad-line)",
  },
  subtle: {
    background: "transparent",
    hover: "var(--hover)",
    hoverColor: "var(--text)",
    color: "var(--text-2)",
    border: "1px solid transparent",
  },
};
const usual: ReturnType<VariantColorsResolver> = {
  background: "var(--raised)",
  hover: "var(--hover)",
  color: "var(--text)",
  border: "1px solid var(--line-strong)",
};

/** `tokens.css` is the source; the library only gets the names. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const colours = {
    "--mantine-color-body": "var(--surface)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-dimmed": "var(--text-3)",
    "--mantine-color-bright": "var(--text)",
    "--mantine-color-secondary-text": "var(--text-2)",
    "--mantine-color-error": "var(--bad-text)",
    "--mantine-color-disabled": "var(--sunken)",
    "--mantine-color-disabled-color": "var(--text-off)",
    "--mantine-primary-color-filled": "var(--accent)",
    "--mantine-color-blue-filled": "var(--accent)",
  };
  return { variables: {}, light: colours, dark: colours };
};

const heightOf = (size: unknown) => (size === "xs" ? "24px" : "28px");
const textOf = (size: unknown) => (size === "xs" ? "12px" : "13px");

const pop = { transitionProps: { duration: 80 } };
const inputSize = (_theme: unknown, props: { size?: unknown }) => ({
  wrapper: {
    "--input-height": heightOf(props.size),
    "--input-fz": textOf(props.size),
    "--input-bd": "var(--line-control)",
  },
});
const sheet = { background: "var(--surface)", boxShadow: "var(--shadow-pop)", borderRadius: "var(--r3)" };
const line = { padding: "4px 8px", font: "var(--t-13)", borderRadius: "var(--r2)", color: "var(--text)" };
const fieldNames = { root: "field", label: "field-label", description: "field-hint", error: "field-error" };
const input = {
  defaultProps: {
    size: "sm",
    inputWrapperOrder: ["label", "input", "description", "error"],
    withAsterisk: false,
  },
  classNames: { ...fieldNames, input: "field-input" },
  vars: inputSize,
};
/** An input with a list of options, which stays in the window at 200 % zoom too. */
const chooser = {
  ...input,
  classNames: { ...input.classNames, dropdown: "dropdown" },
  styles: { option: line },
  defaultProps: { ...input.defaultProps, comboboxProps: pop, maxDropdownHeight: "clamp(96px, 30vh, 220px)" },
};
/** A checkbox, a radio or a switch with its label; the description is smaller and below. */
const choice = {
  body: { gap: 8 },
  inner: { marginTop: 3 },
  labelWrapper: { fontSize: 13, lineHeight: "20px" },
  label: { padding: 0 },
  description: { padding: 0, margin: 0, font: "var(--t-11)" },
};

/**
 * Sizes and edges of the library's components where they differ from its own; looks that need selectors are in
 * library.css.
 */
const components: MantineThemeComponents = {
  // Text is inline unless it is declared a paragraph; its variants are in words.css.
  Text: { defaultProps: { span: true } },
  Group: { defaultProps: { gap: "sm", wrap: "nowrap" } },
  Stack: { defaultProps: { gap: "sm" } },
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
  PasswordInput: input,
  Select: { ...chooser, defaultProps: { ...chooser.defaultProps, checkIconPosition: "right" } },
  Autocomplete: chooser,
  TagsInput: {
    ...chooser,
    styles: { ...chooser.styles, inputField: { border: 0, outline: "none", background: "none" } },
  },
  Checkbox: {
    styles: choice,
    vars: () => ({
      root: {
        "--checkbox-size": "14px",
        "--checkbox-radius": "var(--r1)",
        "--checkbox-icon-color": "var(--on-accent)",
      },
    }),
  },
  Radio: {
    styles: choice,
    vars: () => ({
      root: {
        "--radio-bg": "var(--accent)",
        "--radio-size": "14px",
        "--radio-icon-size": "5px",
        "--radio-icon-color": "var(--surface)",
      },
    }),
  },
  EmptyState: {
    defaultProps: { p: "32px 16px" },
    styles: {
      title: { fontWeight: 500, lineHeight: "20px" },
      description: { maxWidth: "44ch", lineHeight: "16px", color: "var(--text-2)" },
    },
    vars: () => ({
      root: {
        "--empty-state-indicator-size": "20px",
        "--empty-state-gap": "8px",
        "--empty-state-title-fz": "13px",
        "--empty-state-description-fz": "12px",
      },
    }),
  },
  EmptyStateActions: { defaultProps: { ref: passFocusOnRemoval } },
  RadioGroup: { classNames: { label: "field-label" }, styles: { root: { display: "grid", gap: 4 } } },
  Switch: {
    defaultProps: { withThumbIndicator: false },
    styles: { ...choice, track: { marginTop: 2 } },
    vars: () => ({
      root: {
        "--switch-height": "16px",
        "--switch-width": "26px",
        "--switch-thumb-size": "10px",
        "--switch-track-label-padding": "2px",
      },
    }),
  },
  SegmentedControl: {
    defaultProps: { withItemsBorders: false, transitionDuration: 0 },
    styles: {
      root: { padding: 1, border: "1px solid var(--line-strong)", background: "var(--sunken)" },
      indicator: {
        background: "var(--raised)",
        boxShadow: "0 0 0 1px var(--line-strong)",
        borderRadius: "var(--r1)",
      },
      // Over the label, so that the input gets the press.
      input: { inset: 0, zIndex: 3, width: "100%", height: "100%", margin: 0 },
      innerLabel: { display: "inline-flex", alignItems: "center", gap: 4 },
    },
  },
  Splitter: {
    defaultProps: {
      lineSize: 1,
      handleColor: "var(--line)",
      withHandle: false,
      step: "16px",
      shiftStep: "96px",
      resetOnDoubleClick: false,
    },
  },
  Table: {
    classNames: { table: "tb" },
    defaultProps: { layout: "fixed", captionSide: "top", stickyHeader: true },
  },
  Tabs: {
    defaultProps: { keepMounted: false },
    styles: {
      root: { display: "contents" },
      tab: { height: 32, padding: 0, fontSize: 13, lineHeight: "20px" },
      tabLabel: { display: "flex", alignItems: "center", gap: 6 },
    },
  },
  Progress: { defaultProps: { size: 4, color: "var(--accent)" }, styles: { root: { background: "var(--press)" } } },
  // Screen readers get ordered steps as a list.
  Timeline: { defaultProps: { bulletSize: 20, lineWidth: 1, role: "list" } },
  TimelineItem: { defaultProps: { role: "listitem" } },
  TabsPanel: { defaultProps: { tabIndex: -1 } },
  Tooltip: {
    defaultProps: {
      openDelay: 400,
      maw: 320,
      multiline: true,
      transitionProps: { duration: 80 },
      events: { hover: true, focus: true, touch: false },
    },
    styles: {
      tooltip: {
        padding: "4px 8px",
        background: "var(--raised)",
        color: "var(--text)",
        boxShadow: "var(--shadow-pop)",
        font: "var(--t-12)",
      },
    },
  },
  Popover: { defaultProps: pop },
  // The placeholder is a focusable child, which a menu may not have.
  Menu: {
    defaultProps: { ...pop, offset: 4, withInitialFocusPlaceholder: false },
    styles: {
      dropdown: { padding: 4 },
      item: { ...line, minHeight: 28 },
      label: { padding: "4px 8px", font: "500 11px / 16px var(--font)", color: "var(--text-3)" },
    },
  },
  Notification: {
    defaultProps: { closeButtonProps: { "aria-label": "Close notice" } },
    styles: {
      root: {
        alignItems: "flex-start",
        padding: "10px 8px 10px 12px",
        background: "var(--raised)",
        boxShadow: "var(--shadow-pop)",
        borderRadius: "var(--r3)",
      },
      icon: { width: 16, height: 20, marginInlineEnd: 8, background: "none", color: "var(--notification-color)" },
      title: { margin: 0, fontSize: 13, lineHeight: "20px", color: "var(--text)", overflowWrap: "anywhere" },
      description: { font: "var(--t-12)", color: "var(--text-2)", overflowWrap: "anywhere" },
    },
  },
  Spotlight: {
    styles: {
      content: sheet,
      search: { height: 44, lineHeight: "44px", fontSize: 13, outline: "none" },
      actionsList: { padding: "4px 0", borderColor: "var(--line)" },
      // A row's name stays whole before its description.
      actionBody: { flex: "1 0 auto", maxWidth: "75%", overflow: "hidden", textOverflow: "ellipsis" },
      empty: { padding: "24px 12px", color: "var(--text-2)" },
    },
  },
  // The dialog's own head isn't a landmark of the page.
  Modal: {
    defaultProps: {
      closeButtonProps: { "aria-label": "Close" },
      attributes: { header: { role: "presentation" } },
      padding: 16,
      overlayProps: { backgroundOpacity: 0.35 },
      transitionProps: { duration: 80 },
      yOffset: "10vh",
    },
    styles: {
      content: sheet,
      header: {
        minHeight: 44,
        padding: "8px 8px 8px 16px",
        borderBottom: "1px solid var(--line)",
        background: "var(--surface)",
      },
      close: { color: "var(--text-2)" },
    },
  },
};

export const theme = createTheme({
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  variantColorResolver: ({ variant }) => looks[variant] ?? usual,
  // Secondary text, between the library's own dimmed and bright.
  colors: { secondary: colorsTuple("var(--text-2)") },
  fontSizes: { xs: "11px", sm: "12px", md: "13px", lg: "15px" },
  lineHeights: { xs: "16px", sm: "16px", md: "1.5385", lg: "20px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { sm: "4px" },
  defaultRadius: "sm",
  activeClassName: "",
  respectReducedMotion: true,
  components,
});

import { type CSSVariablesResolver, createTheme, type VariantColorsResolver } from "@mantine/core";
import { componentDefaults } from "./component-defaults.ts";

/** Hex on purpose: the library computes luminance from the string. Shade 7 is the light accent, 4 the dark one. */
const accent = [
  "#eef7f9",
  "#d3ebf0",
  "#a9dbe5",
  "#7fcddc",
  "#56bfd3",
  "#2b9db2",
  "#0e8092",
  "#006777",
  "#005563",
  "#004450",
] as const;

const named = (fill: string, fillHover: string, text: string, edge: string, tint: string) => ({
  fill,
  fillHover,
  text,
  edge,
  tint,
});

const accentColours = named(
  "var(--accent)",
  "var(--accent-hover)",
  "var(--accent-text)",
  "var(--accent-line)",
  "var(--accent-tint)",
);
const badColours = named("var(--bad)", "var(--bad-text)", "var(--bad-text)", "var(--bad-line)", "var(--bad-tint)");

/** Every variant in tokens, so that both schemes and both contrasts hold without a second palette. */
const variantColorResolver: VariantColorsResolver = ({ variant, color }) => {
  const colours = color === "red" || color === "bad" ? badColours : accentColours;
  switch (variant) {
    case "filled":
      return {
        background: colours.fill,
        hover: colours.fillHover,
        color: "var(--on-accent)",
        border: "1px solid transparent",
      };
    case "light":
      return { background: colours.tint, hover: "var(--hover)", color: colours.text, border: "1px solid transparent" };
    case "outline":
      return {
        background: "var(--raised)",
        hover: "var(--hover)",
        color: colours.text,
        border: `1px solid ${colours.edge}`,
      };
    case "subtle":
    case "transparent":
      return {
        background: "transparent",
        hover: "var(--hover)",
        hoverColor: "var(--text)",
        color: "var(--text-2)",
        border: "1px solid transparent",
      };
    default:
      return {
        background: "var(--raised)",
        hover: "var(--hover)",
        color: "var(--text)",
        border: "1px solid var(--line-strong)",
      };
  }
};

/** `tokens.css` is the source; the library only learns its names. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const colours = {
    "--mantine-color-body": "var(--surface)",
    "--mantine-color-text": "var(--text)",
    "--mantine-color-bright": "var(--text)",
    "--mantine-color-dimmed": "var(--text-3)",
    "--mantine-color-placeholder": "var(--text-3)",
    "--mantine-color-anchor": "var(--accent-text)",
    "--mantine-color-default": "var(--raised)",
    "--mantine-color-default-hover": "var(--hover)",
    "--mantine-color-default-color": "var(--text)",
    "--mantine-color-default-border": "var(--line-strong)",
    "--mantine-color-error": "var(--bad-text)",
    "--mantine-color-disabled": "var(--sunken)",
    "--mantine-color-disabled-color": "var(--text-off)",
    "--mantine-color-disabled-border": "var(--line)",
    "--mantine-primary-color-filled": "var(--accent)",
    "--mantine-primary-color-filled-hover": "var(--accent-hover)",
    "--mantine-primary-color-light": "var(--accent-tint)",
    "--mantine-primary-color-light-color": "var(--accent-text)",
    "--mantine-primary-color-contrast": "var(--on-accent)",
  };
  return { variables: { "--mantine-shadow-md": "var(--shadow-pop)" }, light: colours, dark: colours };
};

export const theme = createTheme({
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  colors: { accent: [...accent] },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: false,
  variantColorResolver,
  fontSizes: { xs: "11px", sm: "12px", md: "13px", lg: "15px", xl: "20px" },
  lineHeights: { xs: "1.4545", sm: "1.3333", md: "1.5385", lg: "1.3333", xl: "1.2" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "3px", sm: "4px", md: "6px" },
  defaultRadius: "sm",
  shadows: { md: "var(--shadow-pop)" },
  focusRing: "auto",
  respectReducedMotion: true,
  cursorType: "default",
  components: componentDefaults,
});

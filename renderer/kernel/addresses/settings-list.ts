import { desktopBridge } from "../../lib/desktop-bridge.ts";
import { worldAccess } from "../../lib/world-access.ts";

/** All settings, for the place and for the search; `words` are search terms beside the title. */
export const settings = [
  { id: "theme", title: "Theme", words: "light dark colour scheme look" },
  { id: "density", title: "Density", words: "comfortable compact rows height look" },
  { id: "keys", title: "Single-key shortcuts", words: "keyboard keys letters hotkeys accessibility speech turn off" },
  { id: "notices", title: "Notifications of failed deliveries", words: "notifications desktop browser alerts" },
  { id: "retention", title: "Retention", words: "keep delete age size history" },
  { id: "retries", title: "Retry schedule", words: "attempts webhook deliveries policy" },
  { id: "port", title: "Port", words: "address listen 4026" },
  { id: "data", title: "Data folder", words: "disk size path files storage" },
  { id: "start", title: "Startup settings", words: "options environment variables limits mode quotas" },
  { id: "log", title: "Log", words: "logs errors troubles lines" },
  { id: "audit", title: "Audit log", words: "history who changed read refused tokens security record" },
  { id: "erase", title: "Erase everything", words: "delete remove wipe forget all worlds" },
] as const;
/** Settings of this browser and of the world; the others need an operator. */
const personalSettings: ReadonlySet<string> = new Set(["theme", "density", "keys", "notices", "retention", "retries"]);
export const openSettings = () =>
  settings.filter(
    ({ id }) => (worldAccess() === null || personalSettings.has(id)) && (id !== "notices" || desktopBridge() !== null),
  );
export type SettingId = (typeof settings)[number]["id"];

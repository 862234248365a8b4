import { useEffect } from "react";
import { listenForKeys } from "../../lib/key-registry.ts";
import { Places } from "../router.tsx";
import { Palette } from "./palette.tsx";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";
import { Wire } from "./wire.tsx";

/** The frame around every place. */
export const Shell = () => {
  useEffect(listenForKeys, []);
  return (
    <div className="app">
      <a className="skip" href="#place">
        Skip to the place
      </a>
      <Rail />
      <TopBar />
      <main className="main" id="place" tabIndex={-1}>
        <Places />
      </main>
      <Wire />
      <Palette />
    </div>
  );
};

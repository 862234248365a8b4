import { serviceErase, serviceLog, serviceSet, serviceSettings } from "../contract/control/service-operations.ts";
import { type BoundControl, type ControlContext, control } from "./handler.ts";

const portOf = ({ info }: ControlContext): number => Number(new URL(info.address).port || 80);

/** What the service runs with, its log, and its end. */
export const serviceControls: readonly BoundControl[] = [
  control(serviceSettings, async (context) => {
    const { settings, info } = context;
    const port = portOf(context);
    return {
      started_by: info.startedBy,
      items: settings.rows(port),
      port: settings.about(port),
      data_folder: await settings.dataFolder(),
    };
  }),
  control(serviceSet, (context, { port }) => context.settings.keepPort(port, portOf(context))),
  control(serviceLog, ({ logFile, info }, { limit = 100 }) => ({
    items: logFile.last(limit),
    file: info.dataFolder === null ? null : logFile.file,
  })),
  control(serviceErase, ({ erase }) => erase()),
];

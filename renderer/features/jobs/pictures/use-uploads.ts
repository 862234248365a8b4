import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { preparePicture } from "./desks.ts";
import { putFile } from "./put-file.ts";
import { createUploader, type Upload, type Uploader } from "./uploader.ts";

export const useUploadList = (uploader: Uploader): readonly Upload[] =>
  useSyncExternalStore(uploader.subscribe, uploader.list);

/** Sends pictures for a form: what arrives is the form's; what is on its way when the form goes is stopped. */
export const useFormUploader = (
  credential: KeyedCredential,
  onArrived: (publicUrls: readonly string[]) => void,
): Uploader => {
  const latest = useRef({ credential, onArrived });
  latest.current = { credential, onArrived };
  const [uploader] = useState(() =>
    createUploader({
      prepare: preparePicture(() => latest.current.credential),
      put: putFile,
      onArrived: (urls) => latest.current.onArrived(urls),
    }),
  );
  useEffect(() => () => uploader.cancelAll(), [uploader]);
  return uploader;
};

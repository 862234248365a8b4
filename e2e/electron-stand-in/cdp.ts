/** The stand-in's part of the Chrome DevTools Protocol. */
export interface Commands {
  "Browser.close": Command;
  "Browser.getVersion": Command<NoParameters, { product: string }>;
  "Emulation.setDeviceMetricsOverride": Command<{
    width: number;
    height: number;
    deviceScaleFactor: number;
    mobile: boolean;
  }>;
  "Emulation.setEmulatedMedia": Command<{ features: { name: string; value: string }[] }>;
  "Fetch.continueRequest": Command<{ requestId: string }>;
  "Fetch.enable": Command<{ patterns: { resourceType: "Document" }[] }>;
  "Fetch.failRequest": Command<{ requestId: string; errorReason: "Aborted" }>;
  "Page.addScriptToEvaluateOnNewDocument": Command<{ source: string; worldName?: string }>;
  "Inspector.enable": Command;
  "Page.close": Command;
  /** Kills the page's process, as when memory runs out. */
  "Page.crash": Command;
  "Page.reload": Command;
  "Page.enable": Command;
  "Page.navigate": Command<{ url: string }, { errorText?: string }>;
  "Page.setLifecycleEventsEnabled": Command<{ enabled: boolean }>;
  "Runtime.addBinding": Command<{ name: string; executionContextName: string }>;
  "Runtime.enable": Command;
  "Runtime.evaluate": Command<
    { expression: string; contextId?: number; awaitPromise?: boolean; returnByValue?: boolean },
    { result: { value?: unknown }; exceptionDetails?: { text: string } }
  >;
  "Runtime.runIfWaitingForDebugger": Command;
  "Target.closeTarget": Command<{ targetId: string }>;
  "Target.createTarget": Command<
    { url: string; newWindow: boolean; left: number; top: number; width: number; height: number },
    { targetId: string }
  >;
  "Target.setAutoAttach": Command<{
    autoAttach: boolean;
    waitForDebuggerOnStart: boolean;
    flatten: boolean;
    filter: { type: "page" }[];
  }>;
}

export type Event =
  | { method: "Fetch.requestPaused"; params: PausedRequest }
  | { method: "Inspector.targetCrashed"; params: NoParameters }
  | { method: "Page.lifecycleEvent"; params: { frameId: string; name: string } }
  | { method: "Page.frameNavigated"; params: { frame: Frame } }
  | { method: "Page.navigatedWithinDocument"; params: { frameId: string; url: string } }
  | { method: "Runtime.bindingCalled"; params: { name: string; payload: string; executionContextId: number } }
  | { method: "Runtime.executionContextCreated"; params: { context: ExecutionContext } }
  | { method: "Target.attachedToTarget"; params: { sessionId: string; targetInfo: { targetId: string } } }
  | { method: "Target.detachedFromTarget"; params: { sessionId: string } };

export interface PausedRequest {
  requestId: string;
  frameId: string;
  request: { url: string };
  /** Present after a redirect. */
  redirectedRequestId?: string;
}

export interface Frame {
  id: string;
  parentId?: string;
  url: string;
  /** Present when Chromium shows its own error page instead. */
  unreachableUrl?: string;
}

export interface ExecutionContext {
  id: number;
  name: string;
  origin: string;
  auxData: { frameId: string };
}

type NoParameters = Record<string, never>;
interface Command<Params = NoParameters, Result = unknown> {
  params: Params;
  result: Result;
}

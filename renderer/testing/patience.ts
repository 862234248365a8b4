import { configure } from "@testing-library/react";

// What is waited for comes; on a busy machine, the first that draws loads for long.
configure({ asyncUtilTimeout: 10_000 });

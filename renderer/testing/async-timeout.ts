import { configure } from "@testing-library/react";

// A busy machine can take seconds for the first render, so wait up to 10 s.
configure({ asyncUtilTimeout: 10_000 });

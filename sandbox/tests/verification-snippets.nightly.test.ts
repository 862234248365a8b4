import path from "node:path";
import { test } from "vitest";
import {
  createFolder,
  DRIVERS,
  expectVerdicts,
  prepareCases,
  requireCommand,
  run,
  SNIPPETS,
  succeed,
} from "../testing/verification-snippets.ts";

prepareCases();

test("Python", (context) => {
  const python = requireCommand(context, ["python3", "python"]);
  expectVerdicts(python, ["-B", path.join(DRIVERS, "driver.py"), SNIPPETS]);
});

test("Go", (context) => {
  const go = requireCommand(context, ["go"], "version");
  const folder = createFolder("go", {
    "go.mod": "module example.com/webhooks\n\ngo 1.18\n",
    "verify_webhook.go": path.join(SNIPPETS, "verify_webhook.go"),
    "driver/main.go": path.join(DRIVERS, "driver.go"),
  });
  const binary = path.join(folder, process.platform === "win32" ? "driver.exe" : "driver.bin");
  succeed(go, ["build", "-o", binary, "./driver"], folder);
  expectVerdicts(binary, []);
}, 120_000);

test("C#", (context) => {
  const dotnet = requireCommand(context, ["dotnet"]);
  const version = run(dotnet, ["--version"]).stdout.split(".")[0] ?? "8";
  const folder = createFolder("csharp", {
    "driver.csproj": `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net${version}.0</TargetFramework><UseAppHost>false</UseAppHost></PropertyGroup></Project>`,
    "VerifyWebhook.cs": path.join(SNIPPETS, "VerifyWebhook.cs"),
    "Driver.cs": path.join(DRIVERS, "Driver.cs"),
  });
  succeed(dotnet, ["build", "--output", "built"], folder);
  expectVerdicts(dotnet, [path.join(folder, "built", "driver.dll")]);
}, 120_000);

test("Java", (context) => {
  const javac = requireCommand(context, ["javac"], "-version");
  const folder = createFolder("java", {
    "VerifyWebhook.java": path.join(SNIPPETS, "VerifyWebhook.java"),
    "Driver.java": path.join(DRIVERS, "Driver.java"),
  });
  succeed(javac, ["-encoding", "UTF-8", "VerifyWebhook.java", "Driver.java"], folder);
  expectVerdicts("java", ["-cp", folder, "Driver"]);
}, 120_000);

test("PHP", (context) => {
  const php = requireCommand(context, ["php"]);
  expectVerdicts(php, [path.join(DRIVERS, "driver.php"), SNIPPETS]);
});

test("Ruby", (context) => {
  const ruby = requireCommand(context, ["ruby"]);
  expectVerdicts(ruby, [path.join(DRIVERS, "driver.rb"), SNIPPETS]);
});

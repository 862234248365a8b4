import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import Sqlite from "better-sqlite3";

// H: the minimum of a JSON service: it parses requests and echoes them. With a file argument, it also stores each as a
// row and responds after the sync: the minimum of a durable service.
const [port, file] = process.argv.slice(2);

/** Stores a text durably. */
const openStore = (storeFile: string): ((text: string) => unknown) => {
  fs.mkdirSync(path.dirname(storeFile), { recursive: true });
  const db = new Sqlite(storeFile);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE kept (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  const insert = db.prepare("INSERT INTO kept (text) VALUES (?)");
  return (text) => insert.run(text);
};
const keep = file === undefined ? () => undefined : openStore(file);

http
  .createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "null");
      const body = JSON.stringify(value);
      keep(body);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    });
  })
  .listen(Number(port), "127.0.0.1");

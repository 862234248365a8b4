import http from "node:http";

// H: as little as a JSON service can do. It parses what it is sent and echoes it.
http
  .createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "null");
      const body = JSON.stringify(value);
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    });
  })
  .listen(Number(process.argv[2]), "127.0.0.1");

import type { DrillName } from "../../../../sandbox/contract/drill-names.ts";
import type { UsualLines } from "../message/snippet.tsx";

/** By drill: the line of code that usually makes the mistake. */
export const usualLines: Readonly<Partial<Record<DrillName, UsualLines>>> = {
  printed_differently: {
    isInFunction: true,
    lines: {
      typescript: {
        wrong: 'createHmac("sha256", secret).update(JSON.stringify(request.body))',
        right: 'createHmac("sha256", secret).update(rawBody)',
      },
      python: {
        wrong: "hmac.new(secret.encode(), json.dumps(request.json).encode(), hashlib.sha256)",
        right: "hmac.new(secret.encode(), raw_body, hashlib.sha256)",
      },
      go: { wrong: "printed, _ := json.Marshal(envelope); mac.Write(printed)", right: "mac.Write(rawBody)" },
      csharp: {
        wrong: "hmac.ComputeHash(JsonSerializer.SerializeToUtf8Bytes(envelope))",
        right: "hmac.ComputeHash(rawBody)",
      },
      java: { wrong: "mac.doFinal(mapper.writeValueAsBytes(envelope))", right: "mac.doFinal(rawBody)" },
      php: {
        wrong: "hash_hmac('sha256', json_encode($envelope), $secret, true)",
        right: "hash_hmac('sha256', $rawBody, $secret, true)",
      },
      ruby: {
        wrong: 'OpenSSL::HMAC.digest("SHA256", secret, params.to_json)',
        right: 'OpenSSL::HMAC.digest("SHA256", secret, raw_body)',
      },
    },
  },
  other_integration: {
    isInFunction: true,
    lines: {
      typescript: {
        wrong: "[...secrets.values()].some((secret) => matches(rawBody, header, secret))",
        right: "secrets.get(integration_id)",
      },
      python: {
        wrong: "any(matches(raw_body, header, secret) for secret in secrets.values())",
        right: "secrets.get(integration)",
      },
      go: {
        wrong: 'for _, secret := range secrets { if matches(rawBody, header, secret) { return "" } }',
        right: "secrets[integration]",
      },
      csharp: {
        wrong: "secrets.Values.Any(secret => Matches(rawBody, header, secret))",
        right: "secrets.TryGetValue(integration, out string secret)",
      },
      java: {
        wrong: "secrets.values().stream().anyMatch(secret -> matches(rawBody, header, secret))",
        right: "secrets.get(integration)",
      },
      php: {
        wrong: "foreach ($secrets as $secret) if (matches($rawBody, $header, $secret)) return null;",
        right: "$secrets[$integration]",
      },
      ruby: {
        wrong: "secrets.values.any? { |secret| matches(raw_body, header, secret) }",
        right: 'secrets[envelope["integration_id"]]',
      },
    },
  },
  timestamp_forms: {
    isInFunction: true,
    lines: {
      typescript: {
        wrong: "/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$/.test(stamp)",
        right: "ISO_TIME.test(stamp) ? Date.parse(stamp)",
      },
      python: {
        wrong: 'datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%fZ")',
        right: 'datetime.fromisoformat(stamp.replace("Z", "+00:00"))',
      },
      go: { wrong: 'time.Parse("2006-01-02T15:04:05.000Z", stamp)', right: "time.Parse(time.RFC3339, stamp)" },
      csharp: {
        wrong: 'DateTime.ParseExact(stamp, "yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture)',
        right: "TryGetDateTimeOffset(out DateTimeOffset sentAt)",
      },
      java: {
        wrong: "new SimpleDateFormat(\"yyyy-MM-dd'T'HH:mm:ss.SSS'Z'\").parse(stamp)",
        right: "OffsetDateTime.parse(stamp)",
      },
      php: {
        wrong: "DateTimeImmutable::createFromFormat('Y-m-d\\TH:i:s.v\\Z', $stamp)",
        right: "DateTimeImmutable::createFromFormat('Y-m-d\\TH:i:s.uP', $stamp)",
      },
      ruby: {
        wrong: 'Time.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%LZ")',
        right: 'Time.iso8601(envelope["webhook_timestamp"])',
      },
    },
  },
  twenty_at_once: {
    isInFunction: false,
    lines: {
      typescript: {
        wrong: "await work(notification); response.writeHead(200).end();",
        right: "response.writeHead(200).end(); queue.add(notification);",
      },
      python: { wrong: 'work(notification); return "", 200', right: 'queue.put(notification); return "", 200' },
      go: {
        wrong: "work(notification); w.WriteHeader(http.StatusOK)",
        right: "w.WriteHeader(http.StatusOK); go work(notification)",
      },
      csharp: {
        wrong: "await Work(notification); return Results.Ok();",
        right: "queue.Writer.TryWrite(notification); return Results.Ok();",
      },
      java: {
        wrong: "work(notification); response.setStatus(200);",
        right: "executor.submit(() -> work(notification)); response.setStatus(200);",
      },
      php: {
        wrong: "work($notification); http_response_code(200);",
        right: "http_response_code(200); fastcgi_finish_request(); work($notification);",
      },
      ruby: { wrong: "work(notification); head :ok", right: "WorkJob.perform_later(notification); head :ok" },
    },
  },
  same_moment: {
    isInFunction: false,
    lines: {
      typescript: {
        wrong: 'if (!(await has(id))) await query("INSERT INTO seen VALUES ($1)", [id]);',
        right: 'await query("INSERT INTO seen VALUES ($1) ON CONFLICT DO NOTHING", [id]);',
      },
      python: {
        wrong: 'if not has(id): db.execute("INSERT INTO seen VALUES (%s)", [id])',
        right: 'db.execute("INSERT INTO seen VALUES (%s) ON CONFLICT DO NOTHING", [id])',
      },
      go: {
        wrong: 'if !has(id) { _, err = db.Exec("INSERT INTO seen VALUES ($1)", id) }',
        right: '_, err = db.Exec("INSERT INTO seen VALUES ($1) ON CONFLICT DO NOTHING", id)',
      },
      csharp: {
        wrong: 'if (!Has(id)) db.Execute("INSERT INTO seen VALUES (@id)", new { id });',
        right: 'db.Execute("INSERT INTO seen VALUES (@id) ON CONFLICT DO NOTHING", new { id });',
      },
      java: {
        wrong: 'if (!has(id)) db.update("INSERT INTO seen VALUES (?)", id);',
        right: 'db.update("INSERT INTO seen VALUES (?) ON CONFLICT DO NOTHING", id);',
      },
      php: {
        wrong: "if (!has($id)) $db->prepare('INSERT INTO seen VALUES (?)')->execute([$id]);",
        right: "$db->prepare('INSERT INTO seen VALUES (?) ON CONFLICT DO NOTHING')->execute([$id]);",
      },
      ruby: {
        wrong: "Seen.create!(id: id) unless Seen.exists?(id)",
        right: "Seen.insert({ id: id }) # ON CONFLICT DO NOTHING",
      },
    },
  },
};

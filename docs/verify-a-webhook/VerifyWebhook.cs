using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

public static class Webhooks
{
    private static readonly TimeSpan Window = TimeSpan.FromMinutes(5);

    /// <summary>Why a notification must be refused, or null when it is good.</summary>
    /// <param name="rawBody">The bytes as they arrived, before anything parsed them.</param>
    /// <param name="header">The value of service-hmac-sha256, or null.</param>
    /// <param name="secrets">The webhook secret of each of your integrations, by integration id.</param>
    public static string VerifyWebhook(
        byte[] rawBody, string header, IReadOnlyDictionary<string, string> secrets, DateTimeOffset now)
    {
        if (string.IsNullOrEmpty(header)) return "missing_signature";

        JsonElement envelope;
        try
        {
            envelope = JsonDocument.Parse(rawBody).RootElement;
        }
        catch (JsonException)
        {
            return "bad_signature";
        }

        // Not proven yet: the integration only chooses which secret the signature is compared with.
        string integration = Text(envelope, "integration_id");
        if (integration == null || !secrets.TryGetValue(integration, out string secret)) return "bad_signature";
        using var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret));
        string expected = Convert.ToBase64String(hmac.ComputeHash(rawBody));
        // FixedTimeEquals takes the same time wherever they differ.
        if (!CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(header), Encoding.UTF8.GetBytes(expected)))
            return "bad_signature";

        // DateTimeOffset.TryParse would take "12:00" for a time; the reader of JSON takes ISO 8601 alone.
        if (Text(envelope, "webhook_timestamp") == null ||
            !envelope.GetProperty("webhook_timestamp").TryGetDateTimeOffset(out DateTimeOffset sentAt))
            return "missing_timestamp";

        return (now - sentAt).Duration() > Window ? "stale_timestamp" : null;
    }

    private static string Text(JsonElement envelope, string name)
    {
        if (envelope.ValueKind != JsonValueKind.Object ||
            !envelope.TryGetProperty(name, out JsonElement value) || value.ValueKind != JsonValueKind.String)
            return null;
        try
        {
            return value.GetString();
        }
        catch (InvalidOperationException)
        {
            // No text can be made of it, such as half a surrogate pair.
            return null;
        }
    }
}

<?php

declare(strict_types=1);

/**
 * Why a notification must be refused, or null when it is good.
 *
 * @param string $rawBody the bytes as they arrived: file_get_contents('php://input')
 * @param ?string $header the value of service-hmac-sha256: $_SERVER['HTTP_SERVICE_HMAC_SHA256'] ?? null
 * @param array<string, string> $secrets the webhook secret of each of your integrations, by integration id
 * @param ?int $nowMs milliseconds since 1970; left out, it is now
 */
function verify_webhook(string $rawBody, ?string $header, array $secrets, ?int $nowMs = null): ?string
{
    if ($header === null || $header === '') {
        return 'missing_signature';
    }

    // Not proven yet: the integration only chooses which secret the signature is compared with.
    $envelope = json_decode($rawBody, true);
    $integration = is_array($envelope) ? ($envelope['integration_id'] ?? null) : null;
    $secret = is_string($integration) ? ($secrets[$integration] ?? null) : null;
    if ($secret === null) {
        return 'bad_signature';
    }
    $expected = base64_encode(hash_hmac('sha256', $rawBody, $secret, true));
    // hash_equals takes the same time wherever they differ; the known text comes first.
    if (!hash_equals($expected, $header)) {
        return 'bad_signature';
    }

    // new DateTimeImmutable() would take "yesterday" for a time.
    $stamp = $envelope['webhook_timestamp'] ?? null;
    $sentAt = is_string($stamp)
        ? (DateTimeImmutable::createFromFormat('Y-m-d\TH:i:s.uP', $stamp)
            ?: DateTimeImmutable::createFromFormat(DATE_ATOM, $stamp))
        : false;
    if ($sentAt === false) {
        return 'missing_timestamp';
    }

    $nowMs ??= (int) (microtime(true) * 1000);
    return abs($nowMs - (int) $sentAt->format('Uv')) > 5 * 60_000 ? 'stale_timestamp' : null;
}

<?php

// Orders a part and waits for the verified webhook that its supplier confirmed it: `sandbox exec -- php order.php`.
declare(strict_types=1);

require __DIR__ . '/verify_webhook.php';

$base = getenv('SANDBOX_BASE_URL');
$integration = getenv('SANDBOX_REPAIRER_INTEGRATION_ID');
$secrets = [$integration => getenv('SANDBOX_REPAIRER_WEBHOOK_SECRET')];
// The name of this machine for a sandbox in a container. Without it, both run on this machine.
$host = getenv('RECEIVER_HOST') ?: null;

function fail(string $sentence): never
{
    fwrite(STDERR, "$sentence\n");
    exit(1);
}

function post(string $path, array|object $body): array
{
    global $base, $integration;
    $headers = [
        'content-type: application/json',
        'authorization: Bearer ' . getenv('SANDBOX_REPAIRER_API_KEY'),
        "service-integration-id: $integration",
    ];
    $options = ['method' => 'POST', 'header' => $headers, 'content' => json_encode($body), 'timeout' => 10];
    $answer = file_get_contents($base . $path, false, stream_context_create(['http' => $options]));
    return $answer === false ? fail("$path was refused.") : json_decode($answer, true);
}

function call(string $operation, array|object $body): array
{
    return post("/api/2026-01/$operation", $body);
}

/** Takes the next notification, and acknowledges it if it is good. */
function receive($server, array $secrets): array
{
    $connection = stream_socket_accept($server, 10) ?: fail('No confirmation arrived within 10 seconds.');
    $headers = [];
    fgets($connection);
    while (($line = trim(fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $body = stream_get_contents($connection, (int) $headers['content-length']);
    $reason = verify_webhook($body, $headers['service-hmac-sha256'] ?? null, $secrets);
    $status = $reason === null ? '200 OK' : '401 Unauthorized';
    fwrite($connection, "HTTP/1.1 $status\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    fclose($connection);
    return $reason === null ? json_decode($body, true) : fail("A notification was refused: $reason");
}

// It listens from here on: what arrives before it is taken waits.
$server = stream_socket_server('tcp://' . ($host === null ? '127.0.0.1' : '0.0.0.0') . ':0');
$port = (int) substr(strrchr(stream_socket_get_name($server, false), ':'), 1);
$url = 'http://' . ($host ?? '127.0.0.1') . ":$port/hooks";
post('/__webhooks/subscribe', ['integration_id' => $integration, 'url' => $url]);

$businesses = call('businesses.list', new stdClass())['items'];
$sites = array_values(array_filter($businesses, fn (array $one): bool => $one['type'] === 'repairer_site'));
$job = call('repairer.jobs.insert', [
    'identity' => ['external' => bin2hex(random_bytes(16))],
    'repairer_site_id' => $sites[0]['id'],
    // One supplier makes offers, and it confirms the order as soon as it is placed.
    'claim_number' => 'test:offers=one;confirm-after=0s',
]);
$identity = ['id' => $job['id']];
call('repairer.jobs.parts.insert', ['job_identity' => $identity, 'parts' => [['description' => 'Bonnet']]]);
$offers = call('repairer.jobs.baskets.latest.get', ['job_identity' => $identity])['offers'];
$choice = ['job_identity' => $identity, 'sellable_ids' => [$offers[0]['sellable_id']]];
$order = post('/__extensions/2026-01/repairer.procurements.place', $choice)['items'][0]['id'];

do {
    $payload = receive($server, $secrets)['payload'];
} while (($payload['procurement_id'] ?? null) !== $order || ($payload['status'] ?? null) !== 'order_confirmed');

$status = call('repairer.procurements.get', ['identity' => ['id' => $order]])['status'];
if ($status !== 'order_confirmed') {
    fail("The order is $status.");
}
echo "Order $order is confirmed, and its webhook is verified.\n";

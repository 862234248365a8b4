<?php

require $argv[1] . '/verify_webhook.php';

foreach (explode("\n", trim(stream_get_contents(STDIN))) as $line) {
    [$body, $header, $now] = explode("\t", $line);
    $reason = verify_webhook(base64_decode($body), $header === '-' ? null : $header, [$argv[2] => $argv[3]], (int) $now);
    echo $reason ?? 'ok', "\n";
}

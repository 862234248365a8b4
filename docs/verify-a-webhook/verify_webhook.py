import base64
import hashlib
import hmac
import json
from datetime import datetime, timedelta, timezone

WINDOW = timedelta(minutes=5)


def _parse(raw_body):
    try:
        parsed = json.loads(raw_body)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _time(stamp):
    if not isinstance(stamp, str):
        return None
    try:
        # Before Python 3.11 fromisoformat does not know the letter Z.
        parsed = datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    except ValueError:
        return None
    return parsed if parsed.tzinfo is not None else None


def verify_webhook(raw_body, header, secrets, now=None):
    """Why a notification must be refused, or None when it is good.

    raw_body: the bytes as they arrived, before anything parsed them
    header: the value of service-hmac-sha256, or None
    secrets: the webhook secret of each of your integrations, by integration id
    """
    if not header:
        return "missing_signature"

    # Not proven yet: it only chooses which secret the signature is compared with.
    envelope = _parse(raw_body)
    integration = envelope.get("integration_id")
    secret = secrets.get(integration) if isinstance(integration, str) else None
    if secret is None:
        return "bad_signature"
    expected = base64.b64encode(hmac.new(secret.encode(), raw_body, hashlib.sha256).digest())
    # compare_digest takes the same time wherever they differ; as bytes, because text must be ASCII.
    if not hmac.compare_digest(header.encode("utf-8", "replace"), expected):
        return "bad_signature"

    sent_at = _time(envelope.get("webhook_timestamp"))
    if sent_at is None:
        return "missing_timestamp"

    if abs((now or datetime.now(timezone.utc)) - sent_at) > WINDOW:
        return "stale_timestamp"
    return None

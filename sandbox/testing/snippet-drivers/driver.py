import base64
import sys
from datetime import datetime, timedelta, timezone

sys.path.insert(0, sys.argv[1])
from verify_webhook import verify_webhook

for line in sys.stdin.read().strip().split("\n"):
    body, header, now = line.split("\t")
    reason = verify_webhook(
        base64.b64decode(body),
        None if header == "-" else header,
        {sys.argv[2]: sys.argv[3]},
        datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(now)),
    )
    print(reason or "ok")

# A receiver of the sandbox's webhooks: subscribes itself, verifies, acknowledges, then reads what changed.
import json
import os
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import verify_webhook

# `exec` sets these variables; without them, the documented values of a sandbox on its usual port.
BASE = os.environ.get("SANDBOX_BASE_URL", "http://127.0.0.1:4026")
API_KEY = os.environ.get("SANDBOX_REPAIRER_API_KEY", "sbx_7d41f0b9c2e84a5396d8b7135fae0c21")
INTEGRATION_ID = os.environ.get("SANDBOX_REPAIRER_INTEGRATION_ID", "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01")
PORT = int(os.environ.get("PORT", "0"))
LARGEST_BODY = 1024 * 1024
REMEMBERED = 10_000


def call(path, body):
    headers = {
        "content-type": "application/json",
        "authorization": f"Bearer {API_KEY}",
        "service-integration-id": INTEGRATION_ID,
    }
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def read_change(notification):
    """A notification says that something changed, and may be late or out of order: the current state is read."""
    payload = notification["payload"]
    if payload.get("change_action") == "deleted":
        print("job", payload["job_id"], "was deleted", flush=True)
        return
    if notification["event_type"] == "repairer.jobs":
        operation, identifier = "repairer.jobs.get", payload["job_id"]
    else:
        operation, identifier = "repairer.procurements.get", payload["procurement_id"]
    current = call(f"/api/2026-01/{operation}", {"identity": {"id": identifier}})
    print(operation, identifier + ":", current.get("status") or current.get("job_number") or "read", flush=True)


secrets = {INTEGRATION_ID: call("/__webhooks/secret", {})["secret"]}
seen = {}
# Two copies may arrive together, each in a thread of its own.
lock = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if length > LARGEST_BODY:
            self.close_connection = True
            self.answer(413, {"ok": False, "reason": "too_large"})
            return
        body = self.rfile.read(length)
        reason = verify_webhook(body, self.headers.get("service-hmac-sha256"), secrets)
        if reason:
            self.answer(401 if reason.endswith("_signature") else 400, {"ok": False, "reason": reason})
            return
        notification = json.loads(body)
        # Only what was verified is remembered, or a forged copy could make the genuine one look like a repeat.
        with lock:
            deduped = notification["message_id"] in seen
            seen[notification["message_id"]] = True
            if len(seen) > REMEMBERED:
                del seen[next(iter(seen))]
        # Acknowledge first, so that slow or failed work doesn't cause a retry.
        self.answer(200, {"ok": True, "deduped": deduped})
        if not deduped:
            try:
                read_change(notification)
            except urllib.error.URLError as error:
                print(error, file=sys.stderr, flush=True)

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
url = f"http://127.0.0.1:{server.server_port}/hooks"
# The same address again changes nothing, so a restart needs no memory of it.
call("/__webhooks/subscribe", {"integration_id": INTEGRATION_ID, "url": url})
print("subscribed", url, flush=True)
server.serve_forever()

# Orders a part and waits for the verified webhook that its supplier confirmed it: `sandbox exec -- python3 order.py`.
import json
import os
import queue
import sys
import threading
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify_webhook import verify_webhook

BASE = os.environ["SANDBOX_BASE_URL"]
API_KEY = os.environ["SANDBOX_REPAIRER_API_KEY"]
INTEGRATION_ID = os.environ["SANDBOX_REPAIRER_INTEGRATION_ID"]
SECRETS = {INTEGRATION_ID: os.environ["SANDBOX_REPAIRER_WEBHOOK_SECRET"]}
# The name of this machine for a sandbox in a container. Without it, both run on this machine.
RECEIVER_HOST = os.environ.get("RECEIVER_HOST")
arrived = queue.Queue()


def post(path, body):
    headers = {
        "content-type": "application/json",
        "authorization": f"Bearer {API_KEY}",
        "service-integration-id": INTEGRATION_ID,
    }
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def call(operation, body):
    return post(f"/api/2026-01/{operation}", body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        reason = verify_webhook(body, self.headers.get("service-hmac-sha256"), SECRETS)
        self.send_response(401 if reason else 200)
        self.end_headers()
        arrived.put((reason, body))

    def log_message(self, *_):
        pass


def wait_for_confirmation(order_id):
    while True:
        try:
            reason, body = arrived.get(timeout=10)
        except queue.Empty:
            sys.exit("No confirmation arrived within 10 seconds.")
        if reason:
            sys.exit(f"A notification was refused: {reason}")
        payload = json.loads(body)["payload"]
        if payload.get("procurement_id") == order_id and payload.get("status") == "order_confirmed":
            return


server = ThreadingHTTPServer(("0.0.0.0" if RECEIVER_HOST else "127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://{RECEIVER_HOST or '127.0.0.1'}:{server.server_port}/hooks"
post("/__webhooks/subscribe", {"integration_id": INTEGRATION_ID, "url": url})

site = next(one for one in call("businesses.list", {})["items"] if one["type"] == "repairer_site")
job = {
    "identity": {"external": str(uuid.uuid4())},
    "repairer_site_id": site["id"],
    # One supplier makes offers, and it confirms the order as soon as it is placed.
    "claim_number": "test:offers=one;confirm-after=0s",
}
identity = {"id": call("repairer.jobs.insert", job)["id"]}
call("repairer.jobs.parts.insert", {"job_identity": identity, "parts": [{"description": "Bonnet"}]})
offers = call("repairer.jobs.baskets.latest.get", {"job_identity": identity})["offers"]
choice = {"job_identity": identity, "sellable_ids": [offers[0]["sellable_id"]]}
order_id = post("/__extensions/2026-01/repairer.procurements.place", choice)["items"][0]["id"]

wait_for_confirmation(order_id)
status = call("repairer.procurements.get", {"identity": {"id": order_id}})["status"]
assert status == "order_confirmed", status
print(f"Order {order_id} is confirmed, and its webhook is verified.")

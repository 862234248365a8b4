# Drives an order, its confirmation and a 429 by test values alone: `python3 order_test.py`.
import json
import os
import time
import unittest
import urllib.error
import urllib.request
import uuid

# `exec` sets these variables; without them, the documented values of a sandbox on its usual port.
BASE = os.environ.get("SANDBOX_BASE_URL", "http://127.0.0.1:4026")
API_KEY = os.environ.get("SANDBOX_REPAIRER_API_KEY", "sbx_7d41f0b9c2e84a5396d8b7135fae0c21")
INTEGRATION_ID = os.environ.get("SANDBOX_REPAIRER_INTEGRATION_ID", "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01")
# A world of its own, so that nobody else's test meets this one.
WORLD = f"test-values-{uuid.uuid4()}"


def call(operation, body, prefix="/api/2026-01/"):
    headers = {
        "content-type": "application/json",
        "authorization": f"Bearer {API_KEY}",
        "service-integration-id": INTEGRATION_ID,
        "x-sandbox-tenant": WORLD,
    }
    request = urllib.request.Request(BASE + prefix + operation, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def insert_job(claim_number):
    businesses = call("businesses.list", {})["items"]
    site = next(one for one in businesses if one["type"] == "repairer_site")
    job = {
        "identity": {"external": str(uuid.uuid4())},
        "repairer_site_id": site["id"],
        "claim_number": claim_number,
    }
    return call("repairer.jobs.insert", job)["id"]


class TestValues(unittest.TestCase):
    def test_a_supplier_confirms_the_order_a_second_after_it_was_placed(self):
        job = {"id": insert_job("test:confirm-after=1s;offers=one")}
        call("repairer.jobs.parts.insert", {"job_identity": job, "parts": [{"description": "Bonnet"}]})
        basket = call("repairer.jobs.baskets.latest.get", {"job_identity": job})
        self.assertEqual(len(basket["suppliers"]), 1)
        sellable_ids = [offer["sellable_id"] for offer in basket["offers"]]
        placing = {"job_identity": job, "sellable_ids": sellable_ids}
        order = call("repairer.procurements.place", placing, "/__extensions/2026-01/")["items"][0]
        self.assertEqual(order["status"], "order_requested")
        for _ in range(50):
            order = call("repairer.procurements.get", {"identity": {"id": order["id"]}})
            if order["status"] == "order_confirmed":
                break
            time.sleep(0.2)
        self.assertEqual(order["status"], "order_confirmed")

    def test_a_call_that_is_answered_429_succeeds_when_it_is_sent_again(self):
        identity = {"id": insert_job("test:answer=429")}
        with self.assertRaises(urllib.error.HTTPError) as refused:
            call("repairer.jobs.get", {"identity": identity})
        self.assertEqual(refused.exception.code, 429)
        time.sleep(int(refused.exception.headers["retry-after"]))
        refused.exception.close()
        self.assertEqual(call("repairer.jobs.get", {"identity": identity})["claim_number"], "test:answer=429")


if __name__ == "__main__":
    unittest.main()

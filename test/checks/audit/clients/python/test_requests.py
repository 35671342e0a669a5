"""What the audit says of requests with urllib3's Retry; the table of docs/reference/popular-libraries.md is compared with it."""

import json
import os
import pathlib
import threading
import unittest
from urllib.request import Request, urlopen

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

CONTROL = os.environ["PETSTORE_CONTROL_URL"]
TABLE = pathlib.Path(__file__).with_name("requests.md")
PET = {"name": "Rex", "categoryId": 1}
NAMES = [
    "GET, 429, Retry-After: 4",
    "GET, 503 twice",
    "GET, 503 on and on",
    "GET, connection lost once",
    "POST, 503 once",
    "POST, answer lost once",
    "GET, invalid key",
]
PREPARED = [
    None,
    {"fault": "status", "status": 503, "times": 2},
    {"fault": "status", "status": 503},
    {"fault": "disconnect", "times": 1},
    {"fault": "status", "status": 503, "times": 1},
    {"fault": "disconnect", "times": 1},
    None,
]
SETTINGS = {
    "default": None,
    "`Retry(3, backoff_factor=1, status_forcelist=[429, 503])`": Retry(
        3, backoff_factor=1, status_forcelist=[429, 503]
    ),
    "the same with `allowed_methods=None`": Retry(
        3, backoff_factor=1, status_forcelist=[429, 503], allowed_methods=None
    ),
}


def control(base, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(base + path, data, headers, method=method)) as reply:
        text = reply.read()
        return json.loads(text) if text else None


def tell(base, url, retry, situation):
    """Says what became of a client in a situation, and what the audit says of it."""
    if situation == 0:
        control(base, "PATCH", "/keys/free-key", {"remaining": {"minute": 0}})
    if PREPARED[situation] is not None:
        control(base, "POST", "/faults", PREPARED[situation])
    key = "nobody-knows-it" if situation == 6 else "free-key"
    method = "POST" if situation in (4, 5) else "GET"
    headers = {"Authorization": "Bearer " + key}
    body = PET if method == "POST" else None
    try:
        with requests.Session() as session:
            if retry is not None:
                session.mount("http://", HTTPAdapter(max_retries=retry))
            reply = session.request(method, url + "/v1/pets", headers=headers, json=body)
            end = "served" if reply.ok else "gave up"
    except requests.RequestException:
        end = "gave up"
    tries = len(control(base, "GET", "/requests"))
    found = control(base, "GET", "/audit?oneClient=true")["findings"]
    said = [f"**{one['rule']}** ({one['severity']})" for one in found if one["severity"] != "info"]
    return "; ".join([f"{end}, {tries}", *said])


def row(settings, retry):
    cells = [""] * len(NAMES)

    def play(situation):
        clock = {"mode": "running", "now": "2027-01-15T08:00:56Z"}
        made = control(CONTROL, "POST", "/sandboxes", {"clock": clock})
        url = made["baseUrl"].removesuffix("/v1")
        cells[situation] = tell(made["controlUrl"], url, retry, situation)

    threads = [threading.Thread(target=play, args=(situation,)) for situation in range(len(NAMES))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return "| " + " | ".join(["requests", settings, *cells]) + " |"


class Verdicts(unittest.TestCase):
    def test_are_those_of_the_document(self):
        head = "| " + " | ".join(["library", "settings", *NAMES]) + " |"
        line = "| " + " | ".join("---" for _ in range(len(NAMES) + 2)) + " |"
        rows = [row(settings, retry) for settings, retry in SETTINGS.items()]
        text = "\n".join([head, line, *rows]) + "\n"
        if "PETSTORE_WRITE" in os.environ:
            TABLE.write_text(text)
        self.assertEqual(TABLE.read_text(), text)

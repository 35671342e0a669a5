"""What Python's clients do; the tables of docs/reference/popular-libraries.md are compared with it."""

import json
import os
import pathlib
import threading
import time
import unittest
from datetime import datetime
from urllib.request import Request, urlopen

import httpx
import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

CONTROL = os.environ["PETSTORE_CONTROL_URL"]
PET = {"name": "Rex", "categoryId": 1}

FAILURES = {
    "GET, 429, Retry-After: 6": {"exhausted": True},
    "GET, 503 twice": {"fault": {"fault": "status", "status": 503, "times": 2}},
    "GET, 503 on and on": {"fault": {"fault": "status", "status": 503}},
    "GET, connection lost once": {"fault": {"fault": "disconnect", "times": 1}},
    "POST, 503 once": {"method": "POST", "fault": {"fault": "status", "status": 503, "times": 1}},
    "POST, response lost once": {"method": "POST", "fault": {"fault": "disconnect", "times": 1}},
    "GET, invalid key": {"key": "nobody-knows-it"},
}

VALUES = {
    "`retryAfterFormat=milliseconds`": {"exhausted": True, "gaps": {"retryAfterFormat": "milliseconds"}},
    "`retryAfterFormat=fraction`": {"exhausted": True, "gaps": {"retryAfterFormat": "fraction"}},
    "`retryAfterFormat=unix-time`": {"exhausted": True, "gaps": {"retryAfterFormat": "unix-time"}},
    "`retryAfterFormat=http-date`": {"exhausted": True, "gaps": {"retryAfterFormat": "http-date"}},
    "`newPetListed=5s`, POST, response lost": {
        "method": "POST",
        "fault": {"fault": "disconnect", "times": 1},
        "gaps": {"newPetListed": "5s"},
    },
    "`rejectedRequests=counted`, sliding": {
        "exhausted": True,
        "gaps": {"rejectedRequests": "counted", "quotaWindow": "sliding"},
    },
    "`banStatus=418`": {"exhausted": True, "gaps": {"banAfter": 0, "banStatus": 418}},
}


def control(base, method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(base + path, data, headers, method=method)) as response:
        text = response.read()
        return json.loads(text) if text else None


def with_requests(retry):
    def send(method, url, headers, body):
        with requests.Session() as session:
            if retry is not None:
                session.mount("http://", HTTPAdapter(max_retries=retry))
            return session.request(method, url, headers=headers, json=body).status_code

    return send


def with_urllib3(method, url, headers, body):
    with urllib3.PoolManager() as pool:
        return pool.request(method, url, headers=headers, json=body).status


def with_httpx(method, url, headers, body):
    with httpx.Client(transport=httpx.HTTPTransport(retries=3)) as client:
        return client.request(method, url, headers=headers, json=body).status_code


RETRY = Retry(3, backoff_factor=1, status_forcelist=[429, 503])
OF_FAILURES = {
    "| requests | default |": with_requests(None),
    "| requests | `Retry(3, backoff_factor=1, status_forcelist=[429, 503])` |": with_requests(RETRY),
    "| requests | the same with `allowed_methods=None` |": with_requests(
        RETRY.new(allowed_methods=None)
    ),
}
OF_VALUES = {
    "| urllib3 | default |": with_urllib3,
    "| requests | `Retry(3, backoff_factor=1, status_forcelist=[429, 503])` |": with_requests(RETRY),
    "| httpx | `HTTPTransport(retries=3)` |": with_httpx,
}

real_sleep, real_time = time.sleep, time.time
here = threading.local()


def sleep(seconds):
    """Moves the clock of a client's sandbox by what the client waits for; the audit sees a pause of 0.3 s."""
    real_sleep(min(seconds, 0.3))
    control(here.base, "PATCH", "/clock", {"advance": round(seconds * 1000)})
    here.now += seconds


def sandbox_time():
    return getattr(here, "now", None) or real_time()


def span(seconds):
    if seconds < 10:
        return f"{round(seconds, 2 if seconds < 1 else 1):g} s"
    if seconds < 120:
        return f"{round(seconds)} s"
    if seconds < 7_200:
        return f"{round(seconds / 60)} min"
    if seconds < 172_800:
        return f"{round(seconds / 3_600)} h"
    return f"{round(seconds / 86_400):,} days"


def wait_text(waits, end):
    texts = ["at once" if one == 0 else span(one) for one in waits]
    same = len(texts) > 1 and len(set(texts)) == 1
    text = f"{texts[0]}, {len(texts)} times" if same else ", ".join(texts)
    return "; ".join(one for one in [text, end] if one)


def play(send, situation, is_timed):
    """Says what became of a client in a situation, and what the audit says of it."""
    now = "2027-01-15T08:00:58.500Z" if is_timed else "2027-01-15T08:00:54Z"
    clock = {"mode": "frozen" if is_timed else "running", "now": now}
    made = control(CONTROL, "POST", "/sandboxes", {"clock": clock, "gaps": situation.get("gaps", {})})
    base = made["controlUrl"]
    key = situation.get("key", "free-key")
    headers = {"Authorization": "Bearer " + key}

    def exhaust():
        control(base, "PATCH", "/keys/free-key", {"remaining": {"minute": 0}})

    if situation.get("exhausted"):
        exhaust()
    if "fault" in situation:
        control(base, "POST", "/faults", situation["fault"])
    before = len(control(base, "GET", "/requests"))
    if is_timed:
        at = control(base, "GET", "/clock")["now"]
        here.base, here.now = base, datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()
    method = situation.get("method", "GET")
    try:
        status = send(method, made["baseUrl"] + "/pets", headers, PET if method == "POST" else None)
        end = "" if status < 400 else "✗"
    except (requests.RequestException, urllib3.exceptions.HTTPError, httpx.HTTPError) as error:
        # It can't read Retry-After, and gives the caller neither that header nor the status.
        name = type(error).__name__
        end = f"`{name}`" if is_timed and name == "InvalidHeader" else "✗"
    sent = control(base, "GET", "/requests")[before:]
    found = control(base, "GET", "/findings?oneClient=true")["findings"]
    mark = {"error": "**", "warning": "*"}
    said = [
        mark[one["severity"]] + one["rule"] + mark[one["severity"]]
        for one in found
        if one["severity"] in mark
    ]
    said = list(dict.fromkeys(said))
    times = [datetime.fromisoformat(one["at"].replace("Z", "+00:00")) for one in sent]
    waits = [(after - first).total_seconds() for first, after in zip(times, times[1:])]
    return "; ".join([wait_text(waits, end) if is_timed else f"{end} {len(sent)}".strip(), *said])


def row(name, send, situations, is_timed):
    cells = dict.fromkeys(situations, "")

    def fill(column):
        cells[column] = play(send, situations[column], is_timed)

    threads = [threading.Thread(target=fill, args=(column,)) for column in situations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return f"{name} {' | '.join(cells.values())} |"


class Documents(unittest.TestCase):
    def compare(self, file, lines):
        table = pathlib.Path(__file__).with_name(file)
        text = "\n".join(lines) + "\n"
        if "PETSTORE_WRITE" in os.environ:
            table.write_text(text)
        self.assertEqual(table.read_text(), text)

    def test_say_what_requests_does_after_failures(self):
        rows = [row(name, send, FAILURES, False) for name, send in OF_FAILURES.items()]
        # The rows below those of libraries.md.
        self.compare("requests.md", rows)

    def test_say_what_clients_do_at_values_of_gaps(self):
        time.sleep, time.time = sleep, sandbox_time
        try:
            rows = [row(name, send, VALUES, True) for name, send in OF_VALUES.items()]
        finally:
            time.sleep, time.time = real_sleep, real_time
        # The rows below those of values.md.
        self.compare("values.md", rows)

"""Sends every conformance case to a running sandbox, and compares each reply, byte for byte.

python3 run.py FOLDER_OF_THE_CASES
"""

import glob
import http.client
import json
import os
import sys

CASES = sys.argv[1]
URL = os.environ.get("PETSTORE_SANDBOX_URL", "http://127.0.0.1:7387")
NOW = "2027-01-15T08:00:20Z"
OF_HOSTS = {"connection", "keep-alive", "content-length"}


def send(method, url, headers, body):
    """Sends a request as it stands, and gives status, headers and body of the reply."""
    connection = http.client.HTTPConnection(URL.removeprefix("http://").rstrip("/"))
    connection.putrequest(method, url, skip_accept_encoding=True)
    data = body.encode()
    for name, value in headers.items():
        connection.putheader(name, value)
    if data:
        connection.putheader("content-length", len(data))
    connection.endheaders(data or None)
    reply = connection.getresponse()
    names = {name.lower(): value for name, value in reply.getheaders()}
    found = {"status": reply.status, "headers": names, "body": reply.read().decode()}
    connection.close()
    return found


def control(method, path, body):
    headers = {"content-type": "application/json"}
    reply = send(method, "/_sandbox" + path, headers, json.dumps(body))
    if reply["status"] >= 300:
        raise SystemExit(f"Cannot control the sandbox: {method} {path} got {reply}")


def run(case):
    """Sets the sandbox up for a case, and says how the reply differs; nothing if it doesn't."""
    control("POST", "/reset", {})
    control("PATCH", "/clock", {"mode": "frozen", "set": case.get("clock", NOW)})
    control("PATCH", "/rate-limits", {"mode": case.get("rateLimits", "enforce")})
    control("PATCH", "/gaps", case.get("gaps", {}))
    for step in case.get("before", []):
        if step["kind"] == "advance":
            control("PATCH", "/clock", {"advance": step["by"]})
        elif step["kind"] == "remaining":
            control("PATCH", "/keys/" + step["key"], {"remaining": step["remaining"]})
        else:
            for _ in range(step.get("times", 1)):
                send(**step["request"])
    request, wanted = dict(case["request"]), case["response"]
    request["body"] += " " * (case.get("bodyBytes", 0) - len(request["body"].encode()))
    found = send(**request)
    for name in set(found["headers"]) - set(wanted["headers"]):
        if name in OF_HOSTS or name.startswith("access-control-"):
            del found["headers"][name]
    return [
        f"{part}: found {found[part]!r}, wanted {wanted[part]!r}"
        for part in wanted
        if found[part] != wanted[part]
    ]


failed = total = 0
for path in sorted(glob.glob(os.path.join(CASES, "*.json"))):
    with open(path, encoding="utf-8") as file:
        for case in json.load(file):
            total += 1
            differences = run(case)
            failed += bool(differences)
            for line in differences:
                print(f"{os.path.basename(path)}: {case['name']}\n  {line}")
print(f"{total - failed} of {total} passed")
sys.exit(failed > 0 or total == 0)

import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest


def send(method, url, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, data, headers, method=method)) as response:
        return json.load(response) if response.status != 204 else None


@pytest.fixture
def sandbox():
    """A store for one test. Fails the test if its client broke a rule."""
    sandboxes = os.environ["PETSTORE_CONTROL_URL"] + "/sandboxes"
    store = send("POST", sandboxes, {})
    send("PATCH", store["controlUrl"] + "/clock", {"mode": "frozen"})
    yield store
    findings = send("GET", store["controlUrl"] + "/findings")["findings"]
    send("DELETE", sandboxes + "/" + store["name"])
    assert [one["message"] for one in findings if one["severity"] == "error"] == []


def list_pets(url):
    """The client under test."""
    with urlopen(Request(url + "/pets", headers={"Authorization": "Bearer free-key"})) as response:
        return json.load(response)


def test_gets_429_until_the_next_minute(sandbox):
    send("PATCH", sandbox["controlUrl"] + "/keys/free-key", {"remaining": {"minute": 0}})
    with pytest.raises(HTTPError, match="429"):
        list_pets(sandbox["baseUrl"])
    send("PATCH", sandbox["controlUrl"] + "/clock", {"advance": "1m"})
    assert len(list_pets(sandbox["baseUrl"])) == 20

import json
import os
import unittest
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API = os.environ["PETSTORE_URL"]
CONTROL = os.environ["PETSTORE_CONTROL_URL"]
KEY = os.environ["PETSTORE_KEY"]


def control(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    urlopen(Request(CONTROL + path, data, headers, method=method)).close()


def list_pets():
    """The client under test."""
    with urlopen(Request(API + "/pets", headers={"Authorization": "Bearer " + KEY})) as reply:
        return json.load(reply)


class Limits(unittest.TestCase):
    def setUp(self):
        control("POST", "/reset")
        control("PATCH", "/clock", {"mode": "frozen"})

    def test_is_served_again_in_the_next_minute(self):
        control("PATCH", "/keys/" + KEY, {"remaining": {"minute": 0}})
        with self.assertRaisesRegex(HTTPError, "429"):
            list_pets()
        control("PATCH", "/clock", {"advance": "1m"})
        self.assertEqual(len(list_pets()), 20)

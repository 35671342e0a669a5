"""Calls examples/client/pet_client.py; its waits move the sandbox's clock.

python3 call_pet_client.py FOLDER; each line of standard input is JSON: url, key, now, timeLimitMs, calls
"""

import json
import sys
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

from pet_client import PetClient, PetClientError  # noqa: E402


def talk(url, key, now, timeLimitMs, calls):
    waits = []

    def sleep(seconds):
        waits.append(seconds * 1000)
        change = json.dumps({"advance": f"{int(seconds * 1000) + 1}ms"}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(url + "/_sandbox/clock", change, headers, method="PATCH")
        urllib.request.urlopen(request).close()

    client = PetClient(
        url + "/v1",
        key,
        time_limit=timeLimitMs / 1000,
        sleep=sleep,
        now=lambda: (now + sum(waits)) / 1000,
    )
    return {"results": [call(client, pet) for pet in calls], "waits": waits}


def call(client, pet):
    try:
        if pet is None:
            return {"pets": len(client.list_pets())}
        return {"id": str(client.create_pet(pet)["id"])}
    except PetClientError as error:
        wait = error.retry_after
        return {
            "status": error.status,
            "retryAfterMs": None if wait is None else wait * 1000,
            "mayBeAdded": error.may_be_added,
        }


for line in sys.stdin:
    print(json.dumps(talk(**json.loads(line))), flush=True)

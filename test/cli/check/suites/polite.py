"""A client that waits when it is told to, and tries a GET again after a failure."""

import json
import os
import time
import urllib.error
import urllib.request

LIMIT_S = 5


def get(path, tries=3):
    request = urllib.request.Request(
        os.environ["PETSTORE_API_URL"] + path,
        headers={"Authorization": "Bearer " + os.environ["PETSTORE_KEY"]},
    )
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        wait = error.headers.get("Retry-After")
        is_final = error.code < 500 and wait is None
        if tries == 0 or is_final or float(wait or 0) > LIMIT_S:
            raise
    except (OSError, ValueError):
        wait = None
        if tries == 0:
            raise
    time.sleep(float(wait) if wait else 0.1 * 2 ** (3 - tries))
    return get(path, tries - 1)


assert len(get("/pets?limit=7")) == 7

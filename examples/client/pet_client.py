"""A client of the pet store to copy into a project; it needs only the standard library."""

import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request

MAX_TRIES = 4


class PetClientError(Exception):
    """A failed call. retry_after is the wait in seconds that the service asks for; may_be_added says whether the pet
    may have been added nevertheless."""

    def __init__(self, message, status=None, code=None, retry_after=None, may_be_added=False):
        super().__init__(message)
        self.status, self.code, self.retry_after = status, code, retry_after
        self.may_be_added = may_be_added


class PetClient:
    """Lists and adds pets; all requests wait together, so use one client for each key, in one thread."""

    def __init__(self, api_url, api_key, time_limit=10, max_wait=90, look_after=(1, 2, 4),
                 sleep=time.sleep, now=time.time):
        self.api_url, self.api_key, self.time_limit = api_url, api_key, time_limit
        self.max_wait, self.look_after, self.sleep, self.now = max_wait, look_after, sleep, now
        self._added, self._paused_until, self._stopped_by = set(), 0, None

    def list_pets(self, limit=100, status=None):
        query = {"limit": limit} if status is None else {"limit": limit, "status": status}
        return self._request("GET", "/pets?" + urllib.parse.urlencode(query))

    def create_pet(self, pet):
        """Adds a pet. If the response is lost, a pet of this name and category counts as the added one,
        unless the client added it before."""
        body = json.dumps(pet).encode()
        added = self._request("POST", "/pets", body, lambda: self._find_added(pet))
        self._added.add(added["id"])
        return added

    def _find_added(self, pet):
        """Looks several times, since a list may show a new pet late."""
        for seconds in self.look_after:
            self.sleep(seconds)
            pets = self.list_pets(status=pet.get("status"))
            for one in pets:
                is_alike = one["name"] == pet["name"] and one["categoryId"] == pet["categoryId"]
                if is_alike and one["id"] not in self._added:
                    return one
            if len(pets) >= 100:
                raise PetClientError("The list is full, and may lack the pet")
        return None

    def _request(self, method, path, body=None, find=None):
        backoff = 0
        for tries in range(1, MAX_TRIES + 1):
            self._wait_for_turn(backoff)
            try:
                return self._send(method, path, body)
            except PetClientError as error:
                try:
                    found = find() if error.may_be_added and find else None
                except PetClientError:
                    raise error from None
                if found is not None:
                    return found
                is_final = error.status is not None and 300 <= error.status < 500 and error.status != 429
                if is_final or tries == MAX_TRIES or (error.retry_after or 0) > self.max_wait:
                    raise
                backoff = 0.5 * 2 ** (tries - 1)

    def _wait_for_turn(self, backoff):
        """Waits with jitter, so that clients that were rejected together don't come back together."""
        if self._stopped_by:
            raise self._stopped_by
        seconds = max(backoff, self._paused_until - self.now())
        if seconds > self.max_wait:
            raise PetClientError("The service asks for a long wait", retry_after=seconds)
        if seconds > 0:
            self.sleep(seconds + random.random() * max(backoff, 0.5))
            self._paused_until = 0

    def _send(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.api_key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.api_url + path, body, headers, method=method)
        deadline = time.monotonic() + self.time_limit
        text, is_post = b"", method == "POST"
        try:
            try:
                response = urllib.request.urlopen(request, timeout=self.time_limit)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                while chunk := response.read1(65_536):
                    text += chunk
                    if time.monotonic() > deadline:
                        raise TimeoutError
        except (OSError, http.client.HTTPException) as error:
            raise PetClientError("No response arrived whole", may_be_added=is_post) from error
        status = response.status
        retry_after = self._note_limits(status, response.headers)
        try:
            content = json.loads(text)
        except ValueError:
            content = None
        if status < 300 and content is not None:
            return content
        # After 5xx with Retry-After, the request had no effect.
        may_be_added = is_post and (status < 300 or (status >= 500 and retry_after is None))
        details = content if isinstance(content, dict) else {}
        message = details.get("message", f"Unreadable response {status}")
        error = PetClientError(message, status, details.get("code"), retry_after, may_be_added)
        if status == 401:
            self._stopped_by = error
        raise error

    def _note_limits(self, status, headers):
        """Pauses the client as the headers ask; returns how long a rejected request has to wait."""
        now = self.now()
        # The service's clock may differ from this one.
        service_now = _instant(headers.get("Date")) or now
        is_last = headers.get("X-RateLimit-Remaining") == "0"
        reset = (_number(headers.get("X-RateLimit-Reset")) or 0) - service_now if is_last else 0
        text = headers.get("Retry-After")
        retry_after, at = _number(text), _instant(text)
        if at is not None:
            retry_after = max(0, at - service_now)
        elif retry_after is None and status == 429:
            retry_after = reset if reset > 0 else 60
        pause = reset if retry_after is None else retry_after
        self._paused_until = max(self._paused_until, now + pause)
        return retry_after


def _number(text):
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text or "") else None


def _instant(text):
    """Reads an HTTP date as seconds since 1970; None if it isn't one."""
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        return None

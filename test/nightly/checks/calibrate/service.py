"""A pet store in Python, written from docs/reference/api.md alone; it shares no code with the sandbox.

It reads a line of JSON for each request, with the time at which it arrives, and writes its response as a line. A line
with manners begins anew with them: ways to keep the spec, or to break it.
"""

import json
import math
import random
import re
import sys
from email.utils import formatdate
from urllib.parse import parse_qsl

MINUTE, DAY = 60_000, 86_400_000
STATUSES = ("available", "pending", "sold")
NAMES = ("Moss", "Ada", "Zoe", "Bo", "Kit", "Rex", "Fay", "Lin", "Ole", "Uma", "Io", "Cy")

DEFAULTS = {
    # quotas
    "limit": 60, "window": "calendar", "day": None, "reported": "minute", "burst": None, "counts": "all",
    "rejections_count": False, "nodes": [0], "no_date": False, "shift": 0, "granularity": 1,
    # Retry-After and Reset
    "form": "seconds", "later": 0, "constant": None, "jitter": 0, "reset_ms": False,
    "round": {"reset": "ceil", "after": "ceil", "date": "floor"},
    # bans
    "ban_after": None, "ban_ms": 300_000, "ban_status": 429, "ban_named": True, "ban_reset": True, "ban_grows": False,
    "ban_extends": False,
    # bodies
    "codes": "snake", "more_in_errors": False, "more_in_pets": False, "properties": "listed", "order": "id",
    "ids": "sequential", "charset": False,
    # new pets
    "default_status": "available", "null_status": "reject", "empty_name": "reject", "max_name": None,
    "unknown_properties": "ignore", "category": "accept", "missing_type": "accept",
    # requests
    "invalid_query": "reject", "duplicate": "first", "unknown_query": "ignore", "bad_id": "not-found",
    "orders": "not-implemented", "slash": "not-found", "route_without_key": "unauthorized", "any_case": True,
    "unauthenticated": "not-counted", "precedence": "rate-limit",
    # the rest
    "deprecation": "standard", "only_2xx": False, "sunset": "Thu, 05 Dec 2030 23:59:59 GMT", "cors": None,
    "listed_after": 0, "more_headers": False,
    # a way to break the spec
    "breaks": None, "early": 0,
}


class Rejected(Exception):
    def __init__(self, status, *words):
        self.status, self.words = status, words


class Window:
    """A limit of requests in a minute or a day, in one of the ways that services count."""

    def __init__(self, limit, length, manners):
        self.limit, self.length, self.m = limit, length, manners
        self.times, self.began, self.tokens, self.at = [], -math.inf, float(limit), 0

    def standing(self, now):
        """Returns what remains, when the limit resets, and when the next request succeeds."""
        kind = self.m["window"]
        if kind.startswith("token"):
            each = self.length / self.limit
            self.tokens = min(self.limit, self.tokens + (now - self.at) / each)
            self.at = now
            left = max(0, math.floor(self.tokens + 1e-9))
            reset = now + (self.limit - self.tokens) * each
            if kind == "token-next":
                reset = now + (math.floor(self.tokens) + 1 - self.tokens) * each
            return left, reset, now if left else now + (1 - self.tokens) * each
        if kind.startswith("log"):
            self.times = [at for at in self.times if at + self.length > now]
            over = len(self.times) - self.limit
            free = self.times[over] + self.length if over >= 0 else now
            edge = (self.times or [now])[0 if kind == "log-oldest" else -1]
            return max(0, -over), edge + self.length, free
        if kind == "first-request":
            if now >= self.began + self.length:
                step = self.m["granularity"]
                self.began, self.times = now // step * step, []
        else:
            began = (now - self.m["shift"]) // self.length * self.length + self.m["shift"]
            if began != self.began:
                self.began, self.times = began, []
        end = self.began + self.length
        return max(0, self.limit - len(self.times)), end, end

    def count(self, now):
        self.times.append(now)
        self.tokens -= 1


class Client:
    def __init__(self, manners):
        self.minute = Window(manners["limit"], MINUTE, manners)
        self.day = Window(manners["day"], DAY, manners) if manners["day"] else None
        self.recent, self.rejected, self.banned_until, self.bans, self.end = [], 0, 0, 0, 0


class Service:
    def __init__(self, manners, seed):
        self.m = {**DEFAULTS, **manners}
        self.m["round"] = {**DEFAULTS["round"], **manners.get("round", {})}
        self.random = random.Random(seed)
        self.pets, self.clients, self.next_id = [], {}, 1
        for index, name in enumerate(NAMES):
            self.add({"name": name, "categoryId": 7 + index % 3, "status": STATUSES[index * 5 % 3]}, 0)

    # --- requests

    def respond(self, request, now):
        m, headers = self.m, {name.lower(): value for name, value in request["headers"].items()}
        key = self.key_of(headers.get("authorization", ""))
        if key is None:
            try:
                if m["route_without_key"] == "not-found":
                    self.route(request, headers, now, dry=True)
                if m["breaks"] == "open":
                    return self.dress(self.route(request, headers, now), now, headers, *self.stranger(now))
                result = self.error(401, "missing", "key")
            except Rejected as rejected:
                result = self.error(rejected.status, *rejected.words)
            return self.dress(result, now, headers, *self.stranger(now))
        client = self.clients.setdefault(key, Client(m))
        result = None
        if m["precedence"] == "request":
            try:
                self.route(request, headers, now, dry=True)
            except Rejected as rejected:
                result = self.error(rejected.status, *rejected.words)
        if result is None:
            limited = self.limited(client, now)
            if limited is not None:
                status, words, (limit, left, reset), free = limited
                response = self.dress(self.error(status, *words), now, headers, limit, left, reset)
                if status == 429:
                    self.add_retry_after(response, free, now)
                return response
            try:
                result = self.route(request, headers, now)
            except Rejected as rejected:
                result = self.error(rejected.status, *rejected.words)
            client.rejected = 0
            if m["counts"] == "all" or result[0] < 300:
                self.count(client, now)
        return self.dress(result, now, headers, *self.reported(client, now))

    def key_of(self, text):
        match = re.fullmatch(r"(bearer) +(\S+)", text, re.I if self.m["any_case"] else 0) or re.fullmatch(
            r"(Bearer) +(\S+)", text
        )
        return match[2] if match and match[2].startswith("key-") else None

    def stranger(self, now):
        limit = self.m["limit"]
        if self.m["unauthenticated"] == "not-counted":
            return limit, limit, now + MINUTE / 2
        window = self.clients.setdefault(None, Client({**self.m, "window": "calendar"})).minute
        left, reset, _ = window.standing(now)
        window.count(now)
        return limit, max(0, left - 1), reset

    def limited(self, client, now):
        """Returns the status, the code, what the headers report, and when the next request succeeds."""
        m = self.m
        if client.banned_until > now:
            if m["ban_extends"]:
                client.banned_until = now + m["ban_ms"]
            return self.banned(client, now)
        full = [(one, one.standing(now)) for one in self.windows(client)]
        full = [(one.limit, standing) for one, standing in full if standing[0] < 1]
        if m["breaks"] == "unlimited":
            return None
        if full:
            if m["rejections_count"]:
                self.count(client, now)
                full = [(one.limit, one.standing(now)) for one in self.windows(client)]
                full = [one for one in full if one[1][0] < 1]
            client.rejected += 1
            if m["ban_after"] is not None and client.rejected > m["ban_after"]:
                client.bans += 1
                grown = m["ban_ms"] * (2 ** (client.bans - 1) if m["ban_grows"] else 1)
                client.banned_until, client.rejected = now + grown, 0
                return self.banned(client, now)
            limit, (left, reset, free) = max(full, key=lambda one: one[1][2])
            return 429, ("rate", "limited"), (limit, left, reset), free
        if m["burst"]:
            client.recent = [at for at in client.recent if at + 1000 > now]
            if len(client.recent) >= m["burst"]:
                return 429, ("slow", "down"), self.reported(client, now), client.recent[-m["burst"]] + 1000
            client.recent.append(now)
        return None

    def banned(self, client, now):
        m = self.m
        words = ("key", "banned") if m["ban_named"] else ("rate", "limited")
        limit, left, reset = self.reported(client, now)
        if m["ban_reset"]:
            left, reset = 0, client.banned_until
        return m["ban_status"], words, (limit, left, reset), client.banned_until

    def windows(self, client):
        return [client.minute, client.day] if client.day else [client.minute]

    def reported(self, client, now):
        minute, day = client.minute, client.day
        if day and self.m["reported"] == "day":
            minute = day
        elif day and self.m["reported"] == "tightest" and day.standing(now)[0] <= minute.standing(now)[0]:
            minute = day
        left, reset, _ = minute.standing(now)
        return minute.limit, left, reset

    def count(self, client, now):
        for window in self.windows(client):
            window.count(now)

    # --- operations

    def route(self, request, headers, now, dry=False):
        method, (path, _, query) = request["method"], request["path"].partition("?")
        plain = path.rstrip("/")
        if plain != path:
            if self.m["slash"] == "not-found":
                raise Rejected(404, "no", "route")
            if self.m["slash"] == "redirect":
                return 308, {"location": f"/v1{plain}"}, None
        match = re.fullmatch(r"/pets/([^/]+)", plain)
        if plain == "/store/orders":
            if self.m["orders"] == "empty-list":
                return 200, {}, []
            raise Rejected(501 if self.m["orders"] == "not-implemented" else 404, "no", "orders")
        if plain != "/pets" and not match:
            raise Rejected(404, "no", "route")
        if method not in (("GET", "POST") if plain == "/pets" else ("GET",)):
            raise Rejected(405, "no", "method")
        known = ("limit", "status") if plain == "/pets" and method == "GET" else ()
        parameters = parse_qsl(query, keep_blank_values=True)
        if self.m["unknown_query"] == "reject" and any(name not in known for name, _ in parameters):
            raise Rejected(400, "unknown", "parameter")
        if match:
            return self.one(match[1])
        return self.listed(parameters, now) if method == "GET" else self.create(request["body"], headers, now, dry)

    def one(self, text):
        if not re.fullmatch(r"-?\d+", text):
            raise Rejected(404 if self.m["bad_id"] == "not-found" else 400, "bad", "id")
        for pet in self.pets:
            if pet["id"] == int(text):
                shown = {**pet, "id": pet["id"] + 1} if self.m["breaks"] == "other-pet" else pet
                return 200, {}, shown
        raise Rejected(404, "no", "pet")

    def listed(self, parameters, now):
        values = {}
        for name, value in parameters:
            if name in values and self.m["duplicate"] == "reject" and name in ("limit", "status"):
                raise Rejected(400, "repeated", "parameter")
            if name not in values or self.m["duplicate"] == "last":
                values[name] = value
        ignores = self.m["invalid_query"] == "ignore"
        limit, status = 20, values.get("status")
        if "limit" in values:
            is_integer = re.fullmatch(r"-?(?:0|[1-9]\d*)", values["limit"])
            if is_integer and 1 <= int(values["limit"]) <= 100:
                limit = int(values["limit"])
            elif not ignores:
                raise Rejected(422 if self.m["breaks"] == "query-422" else 400, "bad", "limit")
            elif is_integer:
                limit = min(100, max(1, int(values["limit"])))
        if status is not None and status not in STATUSES:
            if not ignores:
                raise Rejected(400, "bad", "status")
            status = None
        if self.m["breaks"] == "unfiltered":
            status = None
        shown = [pet for at, pet in zip(self.added, self.pets) if at + self.m["listed_after"] <= now or at == 0]
        order = self.m["order"]
        if order == "each-time":
            shown = self.random.sample(shown, len(shown))
        else:
            name = "id" if order == "descending" else order
            shown.sort(key=lambda pet: (pet.get(name, ""), pet["id"]), reverse=order == "descending")
        shown = [pet for pet in shown if status is None or pet.get("status") == status]
        if self.m["breaks"] == "no-ids":
            shown = [{name: value for name, value in pet.items() if name != "id"} for pet in shown]
        if self.m["breaks"] == "text-ids":
            shown = [{**pet, "id": str(pet["id"])} for pet in shown]
        if self.m["breaks"] == "twice" and limit > 1:
            shown = [shown[0], *shown[: limit - 1]]
        return 200, {}, shown[: limit + (self.m["breaks"] == "one-more")]

    def create(self, body, headers, now, dry):
        m = self.m
        if "content-type" not in headers and m["missing_type"] == "reject":
            raise Rejected(400, "no", "type")
        try:
            pet = json.loads(body)
        except ValueError:
            pet = None
        bad = 422 if m["breaks"] == "body-422" else 400
        if not isinstance(pet, dict):
            raise Rejected(bad, "bad", "body")
        if m["unknown_properties"] == "reject" and set(pet) - {"name", "categoryId", "status"}:
            raise Rejected(bad, "unknown", "property")
        name, category, status = pet.get("name"), pet.get("categoryId"), pet.get("status")
        if "status" not in pet or (status is None and m["null_status"] == "omit"):
            status = m["default_status"]
        elif status not in STATUSES:
            raise Rejected(bad, "bad", "status")
        is_named = isinstance(name, str) and (name != "" or m["empty_name"] == "accept")
        if not is_named or (m["max_name"] and len(name) > m["max_name"]):
            raise Rejected(bad, "bad", "name")
        if not isinstance(category, int) or isinstance(category, bool):
            if m["breaks"] != "lenient" or "categoryId" in pet:
                raise Rejected(bad, "bad", "category")
            category = 7
        if m["category"] == "reject" and category not in (7, 8, 9):
            raise Rejected(bad, "unknown", "category")
        if dry:
            return None
        if m["breaks"] == "renames":
            name = name.upper() + "!"
        made = {"name": name, "categoryId": category, "status": status}
        if status is None:
            del made["status"]
        return (200 if m["breaks"] == "create-200" else 201), {}, self.add(made, now)

    def add(self, pet, now):
        kind = self.m["ids"]
        if kind == "random":
            number = self.random.randrange(1, 2**62)
        elif kind == "large":
            number = 2**53 + 1 + 2 * len(self.pets)
        else:
            number = self.next_id
            self.next_id += 1 if kind == "sequential" else self.random.randrange(1, 9)
        made = {"id": number, **pet}
        self.pets.append(made)
        self.added = [*getattr(self, "added", []), now]
        return made

    # --- responses

    def error(self, status, *words):
        code = {
            "snake": "_".join(words),
            "upper": "_".join(words).upper(),
            "kebab": "-".join(words),
            "camel": words[0] + "".join(word.title() for word in words[1:]),
            "dotted": ".".join(words),
            "number": str(40000 + sum(map(len, words))),
        }[self.m["codes"]]
        body = {"code": code, "message": " ".join(words), "status": status}
        if self.m["breaks"] == "no-code":
            del body["code"]
        if self.m["breaks"] == "status-text":
            body["status"] = str(status)
        if self.m["more_in_errors"]:
            body["requestId"] = f"{self.random.random()}"
        return status, {}, body

    def rounded(self, what, value):
        return {"floor": math.floor, "ceil": math.ceil, "round": round}[self.m["round"][what]](value)

    def add_retry_after(self, response, free, now):
        m = self.m
        if m["breaks"] == "no-retry-after":
            return
        later = m["later"] + (self.random.random() * m["jitter"] if m["jitter"] else 0)
        wait = (free - now) / 1000 + later
        if m["breaks"] == "early":
            wait = max(1, wait - m["early"])
        if m["constant"] is not None:
            wait = max(m["constant"], wait)
        at = now / 1000 + wait
        response["headers"]["retry-after"] = {
            "seconds": lambda: str(self.rounded("after", wait)),
            "http-date": lambda: formatdate(math.ceil(at), usegmt=True),
            "milliseconds": lambda: str(math.ceil(wait * 1000)),
            "fraction": lambda: f"{math.ceil(wait * 1000) / 1000:.3f}",
            "unix-time": lambda: str(math.ceil(at)),
        }[m["form"]]()

    def dress(self, result, now, sent, limit, left, reset):
        m, (status, headers, body) = self.m, result
        node = self.random.choice(m["nodes"])
        stamp = reset if m["reset_ms"] else self.rounded("reset", reset / 1000)
        made = {
            "date": formatdate(self.rounded("date", (now + node) / 1000), usegmt=True),
            "x-ratelimit-limit": str(limit),
            "x-ratelimit-remaining": str(left),
            "x-ratelimit-reset": str(math.ceil(stamp)),
            **headers,
        }
        text = "" if body is None else json.dumps(self.arranged(body))
        if text:
            made["content-type"] = "application/json; charset=utf-8" if m["charset"] else "application/json"
        if m["no_date"]:
            del made["date"]
        if m["more_headers"]:
            made |= {"ratelimit-policy": f'"default";q={limit};w=60', "x-request-id": f"{self.random.random()}"}
        if m["cors"] and "origin" in sent:
            made["access-control-allow-origin"] = "*"
            if m["cors"] == "exposed":
                made["access-control-expose-headers"] = (
                    "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After"
                )
        breaks = m["breaks"]
        if breaks == "html" and status == 404:
            made["content-type"] = "text/html"
        if breaks == "no-limit" or (breaks == "no-quota-on-errors" and status >= 400):
            del made["x-ratelimit-limit"]
        if breaks == "remaining-text":
            made["x-ratelimit-remaining"] = f"{left} of {limit}"
        if breaks == "reset-in-seconds":
            made["x-ratelimit-reset"] = str(math.ceil((reset - now) / 1000))
        if breaks == "above":
            made["x-ratelimit-remaining"] = str(limit + 1)
        return {"status": status, "headers": made, "body": text}

    def arranged(self, found):
        if isinstance(found, list):
            return [self.arranged(one) for one in found]
        if self.m["more_in_pets"] and "name" in found:
            found = {**found, "createdAt": "2027-05-03T10:17:00Z"}
        names = list(found)
        if self.m["properties"] == "alphabetical":
            names.sort()
        if self.m["properties"] == "each-time":
            self.random.shuffle(names)
        return {name: found[name] for name in names}


def with_deprecation(service, request, response):
    """Announces the removal of an operation, in the headers of its responses."""
    m = service.m
    is_get_pet = request["method"] == "GET" and re.match(r"/pets/[^/?]+(?:\?|$)", request["path"])
    if not is_get_pet or m["deprecation"] == "none" or (m["only_2xx"] and response["status"] >= 300):
        return
    if response["status"] in (401, 403, 418, 429):
        return
    standard = m["deprecation"] == "standard"
    response["headers"]["deprecation"] = "@1764892800" if standard else "true"
    response["headers"]["sunset"] = "Fri, 06 Dec 2030 00:00:00 GMT" if m["breaks"] == "sunset" else m["sunset"]


def main():
    service = None
    for line in sys.stdin:
        given = json.loads(line)
        if "manners" in given:
            service = Service(given["manners"], given["seed"])
            print("{}", flush=True)
            continue
        response = service.respond(given, given["now"])
        with_deprecation(service, given, response)
        print(json.dumps(response), flush=True)


main()

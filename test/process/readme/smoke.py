import json, os, sys, urllib.request

def send(path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["PETSTORE_KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["PETSTORE_API_URL"] + path, body, headers)
    return json.load(urllib.request.urlopen(request))

calls = {
    "listPets": lambda: send("/pets?limit=100"),
    "listSold": lambda: send("/pets?limit=100&status=sold"),
    "createPet": lambda: send("/pets", b'{"name":"Rex","categoryId":1}'),
    "listOne": lambda: send("/pets?limit=1"),
}
for name in sys.argv[1:] or calls:
    calls[name]()

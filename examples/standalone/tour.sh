#!/bin/sh
# A tour of the pet store with curl: its requests, its limits, its deprecated operation, and what goes wrong on purpose.
# Start the sandbox first; PETSTORE_API_URL and PETSTORE_CONTROL_URL say where it is. The tour resets it before and after.
set -eu

url=${PETSTORE_API_URL:-http://127.0.0.1:7387/v1}
control=${PETSTORE_CONTROL_URL:-http://127.0.0.1:7387/_sandbox}
json='Content-Type: application/json'

say() { printf '\n# %s\n' "$*"; }

# Sends a request to the API with the key of the Free plan, and shows the reply from the status line on.
api() {
  method=$1 path=$2
  shift 2
  curl --silent --show-error --include --request "$method" "$url$path" \
    --header 'Authorization: Bearer free-key' "$@" | tr -d '\r'
  echo
}

# Brings something about behind the API's back.
control() {
  curl --silent --show-error --fail --request "$1" "$control$2" \
    --header "$json" --data "${3:-}" --output /dev/null
}

control POST /reset
control PATCH /clock '{ "mode": "frozen" }'
control PATCH /clock '{ "set": "2027-01-15T08:00:20Z" }'

say 'The first two pets that are sold'
api GET '/pets?status=sold&limit=2'

say 'Add one'
api POST /pets --header "$json" --data '{ "name": "Rex", "categoryId": 1 }'

say 'Get it: Deprecation, Sunset and Link say that this operation goes away'
api GET /pets/31

say 'Leave the name out'
api POST /pets --header "$json" --data '{ "categoryId": 1 }'

say 'Use up the minute: Retry-After says how long to wait'
control PATCH /keys/free-key '{ "remaining": { "minute": 0 } }'
api GET '/pets?limit=1'

say 'Let that time pass, without waiting for it'
control PATCH /clock '{ "advance": "40s" }'
api GET '/pets?limit=1'

say 'Let the next request fail'
control POST /faults '{ "fault": "status", "status": 503, "times": 1 }'
api GET '/pets?limit=1'

say 'See the day on which getPet is removed'
control PATCH /clock '{ "set": "2030-12-05T00:00:00Z" }'
api GET /pets/31

control POST /reset

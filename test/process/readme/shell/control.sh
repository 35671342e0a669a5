control=http://127.0.0.1:7387/_sandbox
json='Content-Type: application/json'

curl -X POST  $control/reset
curl -X PATCH $control/clock          -H "$json" -d '{ "advance": "1m" }'
curl -X PATCH $control/keys/free-key  -H "$json" -d '{ "remaining": { "minute": 1 } }'
curl -X POST  $control/faults         -H "$json" -d '{ "fault": "status", "status": 503, "times": 1 }'
curl -X PATCH $control/gaps           -H "$json" -d '{ "retryAfterFormat": "http-date" }'
curl "$control/requests?status=429&limit=10"

npx petstore-sandbox exec -- bash -c '
  npx petstore-sandbox keys exhaust free-key minute   # the next request with this key gets 429
  curl -s "$PETSTORE_API_URL/pets" -H "Authorization: Bearer free-key"
  npx petstore-sandbox clock advance 1m               # quotas reset, bans expire, delayed responses are sent
  npx petstore-sandbox keys ban free-key 10m          # a banned key also gets 429
  npx petstore-sandbox keys unban free-key
'

npx petstore-sandbox keys exhaust free-key minute   # the next request with this key gets 429
npx petstore-sandbox clock advance 1m               # it is served again, at once
npx petstore-sandbox keys ban free-key 10m          # a ban, too, is a 429
npx petstore-sandbox keys unban free-key
npx petstore-sandbox reset                          # everything is as it was at the start

petstore-sandbox keys exhaust free-key minute   # the next request with this key gets 429
petstore-sandbox clock advance 1m               # it is served again, at once
petstore-sandbox keys ban free-key 10m          # a ban, too, is a 429
petstore-sandbox keys pardon free-key
petstore-sandbox reset                          # everything is as it was at the start

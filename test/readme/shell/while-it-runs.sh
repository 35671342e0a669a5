petstore-sandbox clock advance 61s        # windows roll, bans end, delays fall due, at once
petstore-sandbox clock set 2030-12-05     # the deprecated operation is gone
petstore-sandbox keys issue pro my-key    # a key of your own
petstore-sandbox pets status 3 sold       # as the real store would when a pet is sold
petstore-sandbox faults add status status=503 operation=createPet times=2
petstore-sandbox gaps set retryAfterFormat=http-date
petstore-sandbox requests --status 429    # what was refused, and why
petstore-sandbox snapshot save state.json
petstore-sandbox snapshot restore state.json

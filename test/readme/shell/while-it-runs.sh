npx petstore-sandbox clock advance 61s        # windows roll, bans end, delays fall due, at once
npx petstore-sandbox clock set 2030-12-05     # the deprecated operation is gone
npx petstore-sandbox keys issue pro my-key    # a key of your own
npx petstore-sandbox pets set-status 3 sold       # as the real store would when a pet is sold
npx petstore-sandbox faults add status status=503 operation=createPet times=2
npx petstore-sandbox gaps set retryAfterFormat=http-date
npx petstore-sandbox requests --status 429    # what was refused, and why
npx petstore-sandbox snapshot save state.json
npx petstore-sandbox snapshot restore state.json

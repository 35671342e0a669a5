npx petstore-sandbox keys exhaust free-key minute   # 429 until the next minute
npx petstore-sandbox clock advance 61s           # as if 61 s had passed
npx petstore-sandbox keys issue pro my-key       # a key of your own
npx petstore-sandbox pets set-status 3 sold      # a change that the API cannot make
npx petstore-sandbox faults add status status=503 operation=createPet times=2
npx petstore-sandbox requests --status 429       # rejected requests, each with the reason
npx petstore-sandbox requests 1                  # one in full, by its number
npx petstore-sandbox status                      # clock, keys, faults and findings on one screen
npx petstore-sandbox scenario down               # 503 to each request, until you type:
npx petstore-sandbox reset                       # back to the start

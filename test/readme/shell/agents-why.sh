petstore-sandbox requests --status 429 --limit 5
petstore-sandbox requests --limit 1 --json
petstore-sandbox status

npx petstore-sandbox requests --status 429 --limit 5
npx petstore-sandbox requests --limit 1 --json
npx petstore-sandbox status

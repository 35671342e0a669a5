key=$(npx petstore-sandbox keys issue free --quiet)
npx petstore-sandbox keys exhaust "$key" --quiet
npx petstore-sandbox status --json > status.json

key=$(petstore-sandbox keys issue free --quiet)
petstore-sandbox keys exhaust "$key" --quiet
petstore-sandbox status --json > status.json

npx petstore-sandbox keys exhaust free-key

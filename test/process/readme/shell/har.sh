npx petstore-sandbox requests --har > requests.har

npx petstore-sandbox exec --audit -- npm test

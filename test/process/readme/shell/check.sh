npx petstore-sandbox check -- npm test

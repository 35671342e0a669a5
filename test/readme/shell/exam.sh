npx petstore-sandbox exam -- npm test

npx petstore-sandbox exam --only minute-limit,lost -- npm test

npx petstore-sandbox check --full -- npm test
npx petstore-sandbox check --only minute-limit,lost-response -- npm test

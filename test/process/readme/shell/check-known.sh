npx petstore-sandbox check --report json=known.json -- npm test
npx petstore-sandbox check --baseline known.json -- npm test

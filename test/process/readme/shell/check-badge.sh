npx petstore-sandbox check --full --skip assumptions --badge check.svg --report markdown=check.md -- npm test

npx petstore-sandbox explore --baseline explore.json --report github --report json=found.json -- npm test

npx petstore-sandbox check --assumptions --baseline check.json --report github --report json=found.json -- npm test

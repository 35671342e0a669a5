npx petstore-sandbox exec --capture failed.petstore.json -- npm test

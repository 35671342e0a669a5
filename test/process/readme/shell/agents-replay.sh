npx petstore-sandbox exec --capture failed.petstore.json -- npm test
npx petstore-sandbox replay failed.petstore.json

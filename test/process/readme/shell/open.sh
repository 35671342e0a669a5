npx petstore-sandbox open failed.petstore.json

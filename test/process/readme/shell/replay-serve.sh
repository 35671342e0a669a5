npx petstore-sandbox replay failed.petstore.json --until 12 --serve

petstore-sandbox capture failed.petstore.json
petstore-sandbox replay failed.petstore.json --as vitest > failed.test.ts
petstore-sandbox replay failed.petstore.json --as curl > failed.sh
petstore-sandbox replay failed.petstore.json --as har > failed.har

petstore-sandbox capture failed.petstore.json
petstore-sandbox replay failed.petstore.json --as vitest > failed.test.ts

npx petstore-sandbox capture failed.petstore.json
npx petstore-sandbox replay failed.petstore.json --as vitest > failed.test.ts

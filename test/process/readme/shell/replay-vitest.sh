npx petstore-sandbox capture failed.petstore.json
npx petstore-sandbox replay failed.petstore.json --format vitest > failed.test.ts

npx petstore-sandbox

npx petstore-sandbox --sandbox alice --sandbox bob

npx petstore-sandbox scenario                   # list the scenarios
npx petstore-sandbox scenario banned free-key   # only this key is banned

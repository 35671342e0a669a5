npx petstore-sandbox scenario                   # list the scenarios
npx petstore-sandbox scenario banned free-key   # only this key is banned
npx petstore-sandbox scenario stop banned free-key

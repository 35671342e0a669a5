npx petstore-sandbox scenario                   # list the scenarios
npx petstore-sandbox scenario day-exhausted     # the day quota of every key is exhausted
npx petstore-sandbox scenario banned free-key   # only this key is banned

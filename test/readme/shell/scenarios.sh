npx petstore-sandbox scenario                        # list scenarios
npx petstore-sandbox scenario day-exhausted              # no key has a request left today
npx petstore-sandbox scenario banned free-key        # this one alone is banned
npx petstore-sandbox scenario slow free-key          # and waits for its answers

petstore-sandbox scenario                        # list scenarios
petstore-sandbox scenario day-limit              # no key has a request left today
petstore-sandbox scenario banned free-key        # this one alone is banned
petstore-sandbox scenario slow free-key          # and waits for its answers

npx petstore-sandbox what-if                           # after your suite has run against the sandbox
npx petstore-sandbox what-if banAfter=3 banStatus=403  # these values, with both responses
npx petstore-sandbox what-if --json

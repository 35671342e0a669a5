npx petstore-sandbox gaps --matter                       # after your suite has run against the sandbox
npx petstore-sandbox gaps --matter --replies             # with the reply now, and the one instead
npx petstore-sandbox gaps --matter --json

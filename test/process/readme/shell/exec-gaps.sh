npx petstore-sandbox exec --gap retryAfterFormat=http-date -- npm test
npx petstore-sandbox exec --gap quotaWindow=first-request --gap banStatus=403 -- npm test
npx petstore-sandbox exec --gap idSequence=large -- npm test

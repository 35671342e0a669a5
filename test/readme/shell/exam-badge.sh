npx petstore-sandbox exam --skip explore --badge exam.svg --report markdown=exam.md -- npm test

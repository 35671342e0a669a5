npx petstore-sandbox exec -- npm test
npx petstore-sandbox exec --clock 2030-12-04 --gap banAfter=3 -- npm test

npx petstore-sandbox explore -- npm test
npx petstore-sandbox explore --junit 'out/{row}.xml' --report pretty --report json=explore.json -- npm test -- '--outputFile=out/{row}.xml'

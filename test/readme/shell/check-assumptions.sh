npx petstore-sandbox check --assumptions -- npm test
npx petstore-sandbox check --assumptions --junit 'out/{row}.xml' --report pretty --report json=check.json -- npm test -- '--outputFile=out/{row}.xml'

npx petstore-sandbox check --assumptions -- npm test
npx petstore-sandbox check --assumptions --junit 'out/{row}.xml' --report json=check.json -- npm test -- --reporter=junit '--outputFile=out/{row}.xml'

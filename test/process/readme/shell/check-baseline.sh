npx petstore-sandbox check --assumptions --baseline check.json --junit 'out/{row}.xml' --report github --report json=found.json -- npm test -- --reporter=junit '--outputFile=out/{row}.xml'

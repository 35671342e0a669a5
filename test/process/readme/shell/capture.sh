npx petstore-sandbox capture failed.petstore.json        # everything since the sandbox started
npx petstore-sandbox replay failed.petstore.json         # the same again, anywhere: no server is needed

npx petstore-sandbox capture failed.petstore.json        # what was done to the sandbox since it began
npx petstore-sandbox replay failed.petstore.json         # do it again, anywhere: no process is needed
npx petstore-sandbox replay failed.petstore.json --until 63

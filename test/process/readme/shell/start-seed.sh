npx petstore-sandbox --seed-file my-pets.json --watch

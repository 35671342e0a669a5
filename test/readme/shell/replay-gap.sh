npx petstore-sandbox capture failed.petstore.json
npx petstore-sandbox replay failed.petstore.json --gap listOrder=id-descending --minimize

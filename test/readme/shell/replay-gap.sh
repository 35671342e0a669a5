petstore-sandbox capture failed.petstore.json
petstore-sandbox replay failed.petstore.json --gap listOrder=id-descending --minimize

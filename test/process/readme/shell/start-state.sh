npx petstore-sandbox --state shop.json

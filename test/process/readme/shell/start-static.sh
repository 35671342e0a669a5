npx petstore-sandbox --static dist

npx petstore-sandbox requests --follow

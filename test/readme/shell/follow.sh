petstore-sandbox requests --follow

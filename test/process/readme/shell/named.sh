npx petstore-sandbox sandboxes create carol
npx petstore-sandbox keys ban free-key 10m --sandbox carol
curl -i http://127.0.0.1:7387/sandboxes/carol/v1/pets -H "Authorization: Bearer free-key"
npx petstore-sandbox sandboxes delete carol

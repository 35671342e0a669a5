petstore-sandbox keys ban free-key 10m
curl -s http://127.0.0.1:7387/v1/pets -H "Authorization: Bearer free-key"
petstore-sandbox keys pardon free-key
petstore-sandbox keys exhaust free-key day
curl -s http://127.0.0.1:7387/v1/pets -H "Authorization: Bearer free-key"
petstore-sandbox scenario sunset-passed
curl -s http://127.0.0.1:7387/v1/pets/1 -H "Authorization: Bearer pro-key"
petstore-sandbox status
petstore-sandbox reset

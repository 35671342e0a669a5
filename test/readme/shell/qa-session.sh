petstore-sandbox keys ban free-key 10m
curl -s http://127.0.0.1:7387/v1/pets -H "Authorization: Bearer free-key"
petstore-sandbox keys pardon free-key
petstore-sandbox keys change free-key remaining.day=0
curl -s http://127.0.0.1:7387/v1/pets -H "Authorization: Bearer free-key"
petstore-sandbox scenario sunset-passed
curl -s http://127.0.0.1:7387/v1/pets/1 -H "Authorization: Bearer pro-key"
petstore-sandbox requests
petstore-sandbox reset

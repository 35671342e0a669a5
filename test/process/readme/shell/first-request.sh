curl -i "http://127.0.0.1:7387/v1/pets?limit=3" -H "Authorization: Bearer free-key"

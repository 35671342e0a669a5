curl http://127.0.0.1:7387/_sandbox/clock -H "Authorization: Bearer $PETSTORE_SANDBOX_CONTROL_TOKEN"

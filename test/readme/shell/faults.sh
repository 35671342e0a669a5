petstore-sandbox faults add status status=503 operation=createPet times=2
petstore-sandbox faults add status status=503 retryAfter=30s times=1
petstore-sandbox faults add latency ms=1s-3s probability=0.5
petstore-sandbox faults                              # what they have done so far
petstore-sandbox faults clear

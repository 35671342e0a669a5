npx petstore-sandbox faults add status status=503 operation=createPet times=2
npx petstore-sandbox faults add status status=503 retryAfter=30s times=1
npx petstore-sandbox faults add latency ms=1s-3s probability=0.5
npx petstore-sandbox faults                              # what they have done so far
npx petstore-sandbox faults clear

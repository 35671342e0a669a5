npx petstore-sandbox faults add disconnect operation=createPet times=1
npx petstore-sandbox faults add status status=503 retryAfter=30s times=2
npx petstore-sandbox faults add latency ms=1s-3s probability=0.5
npx petstore-sandbox faults add status status=503 at=12:00 for=1h every=1d
npx petstore-sandbox faults                              # how many requests each was applied to
npx petstore-sandbox faults clear

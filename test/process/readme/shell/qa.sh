npx petstore-sandbox scenario sunset-passed  # the deprecated operation is gone: 404
npx petstore-sandbox keys ban free-key 10m   # free-key gets 429 for ten minutes
npx petstore-sandbox status                  # clock, keys, faults and findings on one screen
npx petstore-sandbox reset                   # back to the start

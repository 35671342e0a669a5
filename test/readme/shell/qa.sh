npx petstore-sandbox keys ban free-key 10m      # free-key gets 429 for ten minutes
npx petstore-sandbox keys unban free-key       # and is served again
npx petstore-sandbox keys exhaust free-key day  # its requests of the day are used up
npx petstore-sandbox scenario sunset-passed     # the deprecated operation is gone
npx petstore-sandbox status                     # where everything stands, on one screen
npx petstore-sandbox reset                      # everything is as it was at the start

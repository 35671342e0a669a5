npx petstore-sandbox gaps --all                          # all gaps, with their values
npx petstore-sandbox gaps show                           # the values in a running sandbox
npx petstore-sandbox gaps set retryAfterFormat=http-date banAfter=3

npx petstore-sandbox gaps                                # all gaps, with their choices
npx petstore-sandbox gaps show                           # the choices in force in a running sandbox
npx petstore-sandbox gaps set retryAfterFormat=http-date banAfter=3

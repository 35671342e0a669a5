petstore-sandbox gaps                                # all gaps, with their choices
petstore-sandbox gaps show                           # the choices in force in a running sandbox
petstore-sandbox gaps set retryAfterFormat=http-date banAfter=3

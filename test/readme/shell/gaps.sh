petstore-sandbox gaps                                # all gaps, with their choices
petstore-sandbox gap                                 # the choices in force in a running sandbox
petstore-sandbox gap retryAfterFormat=http-date banAfter=3

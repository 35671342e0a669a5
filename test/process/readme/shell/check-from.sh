PETSTORE_CHECK_DIR=petstore-check npm test
npx petstore-sandbox check --from petstore-check --min-coverage 30 --report junit=check.xml

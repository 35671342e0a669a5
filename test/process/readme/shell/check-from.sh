PETSTORE_CHECK_DIR=petstore-check npm test
npx petstore-sandbox check --from petstore-check --min-coverage outcomes=60,situations=5 --report pretty --report junit=check.xml

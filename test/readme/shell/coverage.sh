PETSTORE_COVERAGE_DIR=coverage/petstore npm test
npx petstore-sandbox coverage --fail-under outcomes=60,situations=5 --report pretty --report junit=coverage.xml coverage/petstore

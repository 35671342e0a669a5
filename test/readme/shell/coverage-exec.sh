PETSTORE_COVERAGE_DIR=coverage/petstore npx petstore-sandbox exec -- npm test

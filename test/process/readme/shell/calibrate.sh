npx petstore-sandbox calibrate staging.har
npx petstore-sandbox calibrate staging.har --write petstore-sandbox.config.json
npx petstore-sandbox calibrate staging.har --report json=calibration.json
npx petstore-sandbox calibrate new.har --baseline calibration.json

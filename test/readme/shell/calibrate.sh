petstore-sandbox calibrate staging.har
petstore-sandbox calibrate staging.har --write petstore-sandbox.config.json
petstore-sandbox calibrate staging.har --report pretty --report json=calibration.json
petstore-sandbox calibrate new.har --baseline calibration.json

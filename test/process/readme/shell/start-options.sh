npx petstore-sandbox --port 0 --port-file port.txt --clock 2030-12-04T23:59:00Z --gap banAfter=3

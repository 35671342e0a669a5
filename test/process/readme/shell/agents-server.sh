npx petstore-sandbox --port 0 --port-file port.txt > sandbox.log 2>&1 & echo $! > sandbox.pid
until [ -s port.txt ]; do sleep 0.1; done
export PETSTORE_SANDBOX_URL="http://127.0.0.1:$(cat port.txt)"   # the API is at $PETSTORE_SANDBOX_URL/v1
npx petstore-sandbox status
npx petstore-sandbox reset                                       # everything is as it was at the start
kill "$(cat sandbox.pid)"

# The packed package in an image: npm pack && docker build -t petstore-sandbox .
FROM node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43
COPY petstore-sandbox-*.tgz /tmp/
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/petstore-sandbox-*.tgz && rm /tmp/petstore-sandbox-*.tgz
USER node
WORKDIR /home/node
EXPOSE 7387
# Where it listens, whatever its options say.
ENV PETSTORE_SANDBOX_PORT_FILE=/tmp/petstore-sandbox.port
# Any answer, plain or over TLS, means that it serves: without the control token it is 403.
HEALTHCHECK --interval=5s --timeout=2s --start-period=10s CMD ["node", "--no-warnings", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; const port = fs.readFileSync(process.env.PETSTORE_SANDBOX_PORT_FILE, 'utf8'); Promise.any(['http', 'https'].map((scheme) => fetch(`${scheme}://127.0.0.1:${port}/_sandbox/health`))).catch(() => process.exit(1))"]
ENTRYPOINT ["petstore-sandbox"]
CMD ["--host", "0.0.0.0"]

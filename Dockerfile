# The packed package in an image: npm pack && docker build -t petstore-sandbox .
FROM node:24-alpine
COPY petstore-sandbox-*.tgz /tmp/
RUN npm install --global --omit=dev --no-audit --no-fund /tmp/petstore-sandbox-*.tgz && rm /tmp/petstore-sandbox-*.tgz
USER node
WORKDIR /home/node
EXPOSE 7387
# Any answer means that it serves: without the control token it is 403.
HEALTHCHECK --interval=5s --timeout=2s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:7387/_sandbox/health').catch(() => process.exit(1))"]
ENTRYPOINT ["petstore-sandbox"]
CMD ["--host", "0.0.0.0"]

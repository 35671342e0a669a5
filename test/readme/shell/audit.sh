npx petstore-sandbox audit
npx petstore-sandbox audit --fail-on warning --report pretty --report markdown=audit.md

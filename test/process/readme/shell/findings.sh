npx petstore-sandbox findings
npx petstore-sandbox findings --fail-on warning --report pretty --report markdown=findings.md

npx petstore-sandbox findings
npx petstore-sandbox findings --fail-on warning --report markdown=findings.md
